import { anEntitlement, aStreakDefinition, testWorld } from "@hearth/testing"
import { Effect, Option } from "effect"
import { describe, expect, it, test } from "vitest"

const setUp = async () => {
  const world = testWorld({ startAt: "2026-03-01T12:00:00.000Z" })
  const { projectId } = await world.aProjectWithOwner()
  const { userId } = await world.aSignedInUser(projectId)
  const { users } = world.core
  return {
    world,
    projectId,
    userId,
    update: (changes: Parameters<typeof users.update>[2]) => world.run(users.update(projectId, userId, changes)),
    refused: async (changes: Parameters<typeof users.update>[2]) =>
      world.run(Effect.flip(users.update(projectId, userId, changes))),
    me: () => world.run(users.me(projectId, userId)),
  }
}

describe("a user's own profile [D]", () => {
  it("carries the entitlements", async () => {
    const { world, projectId, userId, me } = await setUp()
    const entitlement = anEntitlement({ app_user_id: userId, entitlement_id: "pro" })
    await world.run(world.tenants.transact(projectId, (db) => db.entitlements.insert(entitlement)))
    expect((await me()).entitlements).toEqual([
      { id: entitlement.id, entitlement_id: "pro", is_active: true, expiration_date: null },
    ])
  })

  it("changes the fields that are given, and no others", async () => {
    const { world, projectId, userId, update, me } = await setUp()
    const before = await me()
    await world.advance("1 hour")
    await update({ display_name: "Ada", avatar_url: "https://example.com/a.png", timezone: "Europe/Berlin" })
    expect(await me()).toEqual({
      ...before,
      display_name: "Ada",
      avatar_url: "https://example.com/a.png",
      timezone: "Europe/Berlin",
    })
    const stored = await world.run(world.tenants.read(projectId, (db) => db.users.find({ id: userId })))
    expect(Option.getOrThrow(stored).updated_at).toEqual(new Date("2026-03-01T13:00:00.000Z"))
  })

  it("distinguishes null from left out", async () => {
    const { update, me } = await setUp()
    await update({ avatar_url: "https://example.com/a.png", timezone: "Europe/Berlin" })
    await update({ avatar_url: null })
    expect(await me()).toMatchObject({ avatar_url: null, timezone: "Europe/Berlin" })
    await update({ timezone: null })
    expect(await me()).toMatchObject({ timezone: null })
  })

  it("is returned as it is when nothing is given [A5]", async () => {
    const { world, update, me } = await setUp()
    const before = await me()
    await world.advance("1 hour")
    expect(await update({})).toEqual(before)
  })

  it("merges properties at the top level", async () => {
    const { update, me } = await setUp()
    await update({ properties: { plan: "free", address: { city: "Bonn", zip: "53111" } } })
    await update({ properties: { address: { city: "Ulm" }, age: null } })
    expect((await me()).properties).toEqual({ plan: "free", address: { city: "Ulm" }, age: null })
  })

  it("keeps all of four concurrent merges", async () => {
    const { world, projectId, userId, me } = await setUp()
    const merges = ["a", "b", "c", "d"].map((key) =>
      world.core.users.update(projectId, userId, { properties: { [key]: 1 } }),
    )
    await world.run(Effect.all(merges, { concurrency: "unbounded" }))
    expect((await me()).properties).toEqual({ a: 1, b: 1, c: 1, d: 1 })
  })

  it("has at most 64 KB of properties, after the merge", async () => {
    const { update, refused, me } = await setUp()
    await update({ properties: { a: "x".repeat(40_000) } })
    expect(await refused({ display_name: "Ada", properties: { b: "x".repeat(40_000) } })).toMatchObject({
      code: "PROPERTIES_TOO_LARGE",
      details: { max_bytes: 65_536, bytes: 80_015 },
    })
    expect((await me()).display_name).not.toBe("Ada")
    await update({ properties: { a: "y".repeat(40_000), b: "x".repeat(25_521) } })
    expect(await refused({ properties: { b: "x".repeat(25_522) } })).toMatchObject({ details: { bytes: 65_537 } })
  })

  it("can still be changed when an import has left more properties than that", async () => {
    const { world, projectId, userId, update } = await setUp()
    const properties = { a: "x".repeat(70_000) }
    await world.run(world.tenants.transact(projectId, (db) => db.users.update(userId, { properties })))
    expect(await update({ display_name: "Ada" })).toMatchObject({ display_name: "Ada", properties })
  })

  test.each(["Mars/Olympus", "+02:00", "", "BST"])(
    "refuses the time zone %j, and changes nothing",
    async (timezone) => {
      const { refused, me } = await setUp()
      const before = await me()
      expect(await refused({ timezone, display_name: "Ada" })).toMatchObject({ code: "INVALID_TIMEZONE" })
      expect(await me()).toEqual(before)
    },
  )
})

describe("a user who was removed", () => {
  it("has no profile and no session, and can be removed again", async () => {
    const { world, projectId, userId, refused } = await setUp()
    await world.run(world.core.users.remove(projectId, userId))
    await world.run(world.core.users.remove(projectId, userId))
    expect(await world.run(Effect.flip(world.core.users.me(projectId, userId)))).toMatchObject({
      code: "INVALID_TOKEN",
    })
    expect(await refused({ display_name: "Ada" })).toMatchObject({ code: "INVALID_TOKEN" })
    expect(await world.run(Effect.flip(world.core.users.get(projectId, userId)))).toMatchObject({ code: "NOT_FOUND" })
    const sessions = await world.run(world.tenants.read(projectId, (db) => db.authSessions.families.list({}, [])))
    expect(sessions).toEqual([])
  })
})

describe("the developers' view of a user (spec: admin views)", () => {
  it("adds streaks with their definition, and entitlements", async () => {
    const { world, projectId, userId } = await setUp()
    const { id: _, created_at: __, ...given } = aStreakDefinition({ name: "Daily", qualifying_event: "lesson" })
    const definition = await world.run(world.core.streaks.create(projectId, given))
    await world.run(world.core.streaks.qualify(projectId, userId, definition.id, {}))
    const user = await world.run(world.core.users.get(projectId, userId))
    expect(user).toMatchObject({ id: userId, external_id: null, timezone: null, entitlements: [] })
    expect(user.streaks).toMatchObject([
      {
        app_user_id: userId,
        current_count: 1,
        status: "active",
        streak_definitions: { name: "Daily", qualifying_event: "lesson" },
      },
    ])
  })

  it("shows streaks as they are now, before any poll", async () => {
    const { world, projectId, userId } = await setUp()
    const { id: _, created_at: __, ...given } = aStreakDefinition()
    const definition = await world.run(world.core.streaks.create(projectId, given))
    await world.run(world.core.streaks.qualify(projectId, userId, definition.id, {}))
    world.clock.advance("5 days")
    const { streaks } = await world.run(world.core.users.get(projectId, userId))
    expect(streaks).toMatchObject([{ current_count: 0, longest_count: 1, status: "broken", expires_at: null }])
  })
})

describe("when a user was last seen", () => {
  const seenAt = async (...instants: ReadonlyArray<string>) => {
    const { world, projectId, userId } = await setUp()
    const event = { events: instants.map((occurred_at) => ({ event_name: "opened", occurred_at })) }
    await world.advance("1 day")
    await world.run(world.core.events.recordOwn(projectId, userId, event))
    await world.runPending()
    return (await world.run(world.core.users.me(projectId, userId))).last_seen_at
  }

  test.each([
    ["moves forward to an event", "2026-03-02T08:00:00.000Z", "2026-03-02T08:00:00.000Z"],
    ["does not move back for a late one", "2026-02-01T08:00:00.000Z", "2026-03-01T12:00:00.000Z"],
    [
      "does not move beyond now for an app whose clock is ahead",
      "2026-03-03T08:00:00.000Z",
      "2026-03-02T12:00:00.000Z",
    ],
  ])("%s", async (_, occurredAt, seen) => expect(await seenAt(occurredAt)).toEqual(new Date(seen)))

  it("is the latest of several", async () => {
    const seen = await seenAt("2026-03-02T09:00:00.000Z", "2026-03-02T08:00:00.000Z")
    expect(seen).toEqual(new Date("2026-03-02T09:00:00.000Z"))
  })

  test.each([
    ["lesson", true],
    ["session_started", true],
    ["push_opened", true],
    ["paywall_shown", true],
    ["session_ended", false],
    ["xp_awarded", false],
    ["subscription_renewal", false],
  ])("is told by %s, whoever writes it: %s [G0.4]", async (event_name, isSeen) => {
    const { world, projectId, userId, me } = await setUp()
    const before = (await me()).last_seen_at
    await world.advance("1 day")
    await world.run(world.core.events.record(projectId, { app_user_id: userId, event_name }))
    await world.runPending()
    expect((await me()).last_seen_at).toEqual(isSeen ? world.clock.now() : before)
  })
})
