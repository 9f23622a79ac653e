import { testWorld } from "@hearth/testing"
import { Cause, Effect } from "effect"
import { describe, expect, it } from "vitest"
import { findUseCases } from "../../test/use-cases.ts"

const world = testWorld()

/** What a call fails with. A defect is one of `died`. */
const fail = async (call: unknown, died: Array<unknown>): Promise<unknown> => {
  if (!Effect.isEffect(call)) return null
  const exit = await world.run(Effect.exit(call as Effect.Effect<unknown, unknown>))
  if (exit._tag === "Success") return null
  died.push(...exit.cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect))
  return exit.cause.reasons.find(Cause.isFailReason)?.error
}

describe("use cases", () => {
  it("die of no record that lacks what they need", async () => {
    const { projectId } = await world.aProjectWithOwner()
    const { userId } = await world.aSignedInUser(projectId)
    const found = findUseCases(world.core)
    expect(found.length).toBeGreaterThan(200)
    for (const { path, run, rules } of found) {
      const kinds = rules.map(({ kind }) => kind)
      const ids = kinds.map((kind, at) => {
        if (kind === "ids") return [userId]
        return kind === "id" ? (at === 0 ? projectId : userId) : undefined
      })
      // Records that the use case itself reads come after those that have a rule.
      const places = [...kinds.keys(), kinds.length].filter((at) => ids[at] === undefined)
      for (const given of [{}, undefined])
        for (const at of places) {
          const died: Array<unknown> = []
          const args: Array<unknown> = [...ids]
          args[at] = given
          await fail(run(...args), died)
          expect(died, `${path}, argument ${at}`).toEqual([])
        }
    }
  })

  it("say what a record lacks", async () => {
    const { core } = world
    const { projectId } = await world.aProjectWithOwner()
    const none = {} as never
    const key = ["app_user_id", "streak_definition_id"]
    const visit = ["host", "slug", "agent", "purpose", "address", "isHead"]
    const calls: ReadonlyArray<readonly [ReadonlyArray<string>, unknown]> = [
      [key, core.streaks.timelines.own(projectId, none)],
      [key, core.streaks.timelines.ofUser(projectId, none)],
      [visit, core.deepLinks.visit(none)],
      [visit, core.deepLinks.visitOf(projectId, none)],
      [["user_id"], core.exports.userEvents(projectId, none)],
    ]
    for (const [needed, call] of calls)
      expect(await fail(call, [])).toMatchObject({
        code: "INVALID_INPUT",
        details: { issues: needed.map((path) => ({ path, message: "is required" })) },
      })
    for (const call of [core.deepLinks.appleApp(null as never), core.deepLinks.androidApp(null as never)])
      expect(await fail(call, [])).toMatchObject({ code: "INVALID_INPUT", message: "host must be a string." })
    const host = { host: 5, slug: "a", agent: "", purpose: null, address: "", isHead: false } as never
    expect(await fail(core.deepLinks.visit(host), [])).toMatchObject({ details: { issues: [{ path: "host" }] } })
  })

  it("take null for an id that nobody has, also where a record needs one", async () => {
    const { core } = world
    const { projectId } = await world.aProjectWithOwner()
    const none = null as never
    const events = core.exports.userEvents(projectId, { user_id: none })
    expect(await fail(events, [])).toMatchObject({ code: "NOT_FOUND" })
    const key = { app_user_id: none, streak_definition_id: none }
    expect(await fail(core.streaks.timelines.own(projectId, key), [])).toMatchObject({ code: "INVALID_TOKEN" })
    expect(await fail(core.streaks.timelines.ofUser(projectId, key), [])).toMatchObject({
      code: "STREAK_DEFINITION_NOT_FOUND",
    })
  })
})
