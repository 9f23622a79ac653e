import { testWorld } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { InvalidInput, NotFound } from "../failure.ts"

const inWorld = async () => {
  const world = testWorld()
  const { projectId, ownerId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const failure = <A, E>(effect: Effect.Effect<A, E>) => world.run(Effect.flip(effect))
  return { ...world, projectId, ownerId, userId, failure }
}

describe("inputs of use cases", () => {
  it("may leave out what a request may leave out, with the same defaults", async () => {
    const { core, run, projectId, ownerId, userId } = await inWorld()
    expect(await run(core.streaks.create(projectId, { name: "Daily", qualifying_event: "lesson" }))).toMatchObject({
      ...{ description: null, period: "daily", grace_period_hours: 0, freeze_enabled: false },
      ...{ max_freezes: 1, freezes_per_n_events: null },
    })
    expect(await run(core.projects.create(ownerId, { name: "Second" }))).toMatchObject({ client_backdate_hours: 720 })
    expect(await run(core.leaderboards.create(projectId, { name: "Most", metric: "xp" }))).toMatchObject({
      ...{ period: "all_time", max_entries: 100 },
    })
    expect((await run(core.streaks.list(projectId))).total).toBe(1)
    expect((await run(core.streaks.list(projectId, { limit: 1 }))).rows).toHaveLength(1)
    expect((await run(core.users.list(projectId, { search: "nobody" }))).total).toBe(0)
    expect(await run(core.apiKeys.create(projectId, ownerId))).toMatchObject({ name: null })
    expect((await run(core.analytics.retention(projectId))).cohorts).toHaveLength(8)
    expect(await run(core.media.folders.list(projectId))).toMatchObject({ total: 0 })
    const library = await run(core.content.libraries.create(projectId, { name: "Quotes" }))
    const items = await run(core.content.items.insert(projectId, library.id, [{ body: "One" }]))
    expect(items).toMatchObject([{ is_premium: false }])
    expect(await run(core.currencies.transactions(projectId, userId))).toMatchObject({ total: 0 })
  })

  it("are checked as a request is checked", async () => {
    const { core, failure, projectId } = await inWorld()
    const refused = await failure(core.streaks.create(projectId, { name: "", qualifying_event: "a\0b" }))
    expect(refused).toBeInstanceOf(InvalidInput)
    expect(refused.details?.["issues"]).toMatchObject([{ path: "name" }, { path: "qualifying_event" }])
    // @ts-expect-error: the name is needed.
    expect(await failure(core.streaks.create(projectId, { qualifying_event: "lesson" }))).toBeInstanceOf(InvalidInput)
    // @ts-expect-error: there is no such period.
    await failure(core.streaks.create(projectId, { name: "x", qualifying_event: "lesson", period: "yearly" }))
  })

  it("take an id that is no uuid for one that nobody has, and a uuid in upper case for the same one", async () => {
    const { core, run, failure, projectId, userId } = await inWorld()
    const { id } = await run(core.streaks.create(projectId, { name: "Daily", qualifying_event: "lesson" }))
    expect(await failure(core.streaks.update(projectId, "'; drop table", {}))).toBeInstanceOf(NotFound)
    expect(await failure(core.projects.get("nope"))).toBeInstanceOf(NotFound)
    expect(await failure(core.users.me(projectId, ""))).toMatchObject({ code: "INVALID_TOKEN" })
    expect(await run(core.streaks.remove(projectId, "none"))).toBe(0)
    expect((await run(core.users.get(projectId, userId.toUpperCase()))).id).toBe(userId)
    expect(await run(core.streaks.update(projectId, id.toUpperCase(), { max_freezes: 2 }))).toMatchObject({ id })
    const store = core.stores.create(projectId, { name: "Shop", segment_id: "nope" })
    expect(await failure(store)).toMatchObject({ code: "INVALID_INPUT", details: { issues: [{ path: "segment_id" }] } })
  })
})
