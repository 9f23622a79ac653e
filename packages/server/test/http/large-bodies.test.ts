import { Deferred, Effect, Fiber } from "effect"
import { describe, expect, it } from "vitest"
import { largeBytes, makeLargeBodies } from "../../src/http/request/large-bodies.ts"
import { as, ask, codeOf, noteId, projectId, sampleApp } from "./sample-app.ts"

const notes = `/v1/admin/projects/${projectId}/notes`

/** Sends notes whose call waits until `open`, and answers how many calls of each title have begun. */
const heldApp = () => {
  const gate = Deferred.makeUnsafe<void>()
  const begun = new Map<string, number>()
  const { core } = sampleApp()
  const note = (given: unknown) =>
    Effect.suspend(() => {
      const { title } = given as { title: string }
      begun.set(title.slice(0, 5), (begun.get(title.slice(0, 5)) ?? 0) + 1)
      return Effect.as(Deferred.await(gate), { id: noteId, title, at: new Date(0) })
    })
  const { app } = sampleApp({ core: { ...core, note } })
  const send = (headers: Readonly<Record<string, string>>, title: string) =>
    ask(app, "POST", notes, { headers, body: { title } })
  return { send, begun, open: Deferred.succeed(gate, undefined) }
}

const large = (name: string) => name.padEnd(largeBytes, ".")

describe("large bodies", () => {
  it("are done eight at a time for a caller, and keep no other and nothing small waiting", async () => {
    const { send, begun, open } = heldApp()
    const sent = [...Array(12).keys()].map(() => send(as.owner, large("owner")))
    const others = [send(as.owner, "small"), send(as.admin, large("admin"))]
    await expect.poll(() => Object.fromEntries(begun)).toEqual({ owner: 8, small: 1, admin: 1 })
    await Effect.runPromise(open)
    const answers = await Promise.all([...sent, ...others])
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(begun.get("owner")).toBe(12)
  })

  it("that are refused leave the line", async () => {
    const { send, open } = heldApp()
    await Effect.runPromise(open)
    const { app } = sampleApp()
    const body = `{"title": 5, "more": "${"x".repeat(largeBytes)}"}`
    for (const headers of Array(20).fill(as.owner))
      expect(await codeOf(await ask(app, "POST", notes, { headers, body }))).not.toBe("TENANT_BUSY")
    expect((await send(as.owner, large("owner"))).status).toBe(201)
  })

  it("of one caller are refused as busy beyond their bytes, until some are done", async () => {
    const takeTurn = makeLargeBodies({ atOnce: 1, bytes: 100 })
    const gate = Deferred.makeUnsafe<void>()
    const outcomes = await Effect.runPromise(
      Effect.gen(function* () {
        const turn = (caller: string, bytes: number) => takeTurn(caller, bytes, Deferred.await(gate))
        const held = yield* Effect.forkChild(turn("a", 60))
        yield* Effect.yieldNow
        const tooMuch = yield* Effect.flip(turn("a", 41))
        const waiting = yield* Effect.forkChild(turn("a", 40))
        const other = yield* Effect.forkChild(turn("b", 1_000))
        yield* Effect.yieldNow
        yield* Deferred.succeed(gate, undefined)
        yield* Effect.forEach([held, waiting, other], Fiber.join)
        yield* turn("a", 100)
        return [tooMuch.code, tooMuch.details]
      }),
    )
    expect(outcomes).toEqual(["TENANT_BUSY", { retry_after_seconds: 1 }])
  })
})
