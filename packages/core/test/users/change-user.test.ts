import { anId, testWorld } from "@hearth/testing"
import { Effect, Option } from "effect"
import { describe, expect, it } from "vitest"

const setUp = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const change = (userId: string, changes: object) => world.core.users.change(projectId, userId, changes)
  return {
    ...{ world, projectId },
    user: async (profile = {}) => (await world.aSignedInUser(projectId, profile)).userId,
    change: (userId: string, changes: object) => world.run(change(userId, changes)),
    refused: (userId: string, changes: object) => world.run(Effect.flip(change(userId, changes))),
    row: (id: string) =>
      world.run(
        Effect.map(
          world.tenants.read(projectId, (db) => db.users.find({ id })),
          Option.getOrThrow,
        ),
      ),
  }
}

describe("what a developer changes about a user [H2.2]", () => {
  it("is what is given, and nothing else", async () => {
    const { world, user, change, row } = await setUp()
    const [ada, bob] = [await user(), await user()]
    const [before, other] = [await row(ada), await row(bob)]
    await world.advance("1 minute")
    const changes = {
      external_id: "customer 7",
      display_name: "Ada",
      avatar_url: "https://a/b",
      timezone: "Asia/Tokyo",
    }
    expect(await change(ada, changes)).toMatchObject({ ...changes, is_disabled: false })
    const changed = { ...before, ...changes, updated_at: new Date("2026-03-01T12:01:00Z") }
    expect(await row(ada)).toEqual(changed)
    expect(await row(bob)).toEqual(other)
    await world.advance("1 minute")
    for (const same of [{}, changes, { external_id: "customer 7" }]) await change(ada, same)
    expect(await row(ada)).toEqual(changed)
    await change(ada, { external_id: null, avatar_url: null, timezone: null })
    expect(await row(ada)).toMatchObject({ external_id: null, avatar_url: null, timezone: null, display_name: "Ada" })
  })

  it("gives an external_id to one user only", async () => {
    const { user, change, refused, row } = await setUp()
    const [ada, bob] = [await user(), await user()]
    await change(ada, { external_id: "customer 7" })
    const before = await row(bob)
    expect(await refused(bob, { external_id: "customer 7", display_name: "Bob", is_disabled: true })).toMatchObject({
      code: "EXTERNAL_ID_EXISTS",
      kind: "conflict",
    })
    expect(await row(bob)).toEqual(before)
    expect(await change(ada, { external_id: "customer 7" })).toMatchObject({ external_id: "customer 7" })
    await change(ada, { external_id: null })
    for (const each of [bob]) await change(each, { external_id: "customer 7" })
    expect((await row(bob)).external_id).toBe("customer 7")
  })

  it("gives it to one of several at once", async () => {
    const { world, projectId, user } = await setUp()
    const users = await Promise.all(Array.from({ length: 8 }, () => user()))
    const exits = await Promise.all(
      users.map((each) => world.run(Effect.exit(world.core.users.change(projectId, each, { external_id: "one" })))),
    )
    expect(exits.filter(({ _tag }) => _tag === "Success")).toHaveLength(1)
  })

  it("is refused for a zone that nobody knows, and for a user who is not there", async () => {
    const { user, refused, row } = await setUp()
    const ada = await user()
    const before = await row(ada)
    expect(await refused(ada, { timezone: "Mars/Base", external_id: "x" })).toMatchObject({ code: "INVALID_TIMEZONE" })
    expect(await row(ada)).toEqual(before)
    expect(await refused(anId(), { external_id: "x" })).toMatchObject({ code: "NOT_FOUND" })
  })

  it("moves the deadlines of streaks with the zone", async () => {
    const { world, projectId, user, change } = await setUp()
    const ada = await user()
    const definition = await world.run(
      world.core.streaks.create(projectId, {
        ...{ name: "Daily", description: null, qualifying_event: "open", period: "daily", grace_period_hours: 0 },
        ...{ freeze_enabled: false, max_freezes: 0, freezes_per_n_events: null },
      }),
    )
    expect(definition.name).toBe("Daily")
    await world.run(world.core.events.recordOwn(projectId, ada, { events: [{ event_name: "open" }] }))
    await world.runPending()
    const expiry = async () => {
      const [streak] = await world.run(world.tenants.read(projectId, (db) => db.userStreaks.ofUsers([ada])))
      return streak?.expires_at?.toISOString()
    }
    expect(await expiry()).toBe("2026-03-03T00:00:00.000Z")
    await change(ada, { timezone: "America/New_York" })
    expect(await expiry()).toBe("2026-03-03T05:00:00.000Z")
    // Whoever moves east may go on over the day after, within 48 hours of the event [E2].
    await change(ada, { timezone: "Asia/Tokyo" })
    expect(await expiry()).toBe("2026-03-03T12:00:00.000Z")
  })
})
