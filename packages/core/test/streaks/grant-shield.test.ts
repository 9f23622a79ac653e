import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { aStreakOf, streakWorld } from "./world.ts"

const earned = { freeze_enabled: true, max_freezes: 3, freezes_per_n_events: 100 }

describe("granting shields (spec: grant-shield)", () => {
  it("raises the freezes by one, or by count, up to the cap", async () => {
    const { qualify, grant, stored } = await streakWorld(earned)
    await qualify()
    expect(await grant()).toMatchObject({ freezes_remaining: 1, current_count: 1, status: "active" })
    expect(await grant(1)).toMatchObject({ freezes_remaining: 2 })
    const full = await grant(1_000_000)
    expect(full).toMatchObject({ freezes_remaining: 3 })
    expect(await stored()).toEqual(full)
  })

  it("stops at a cap that was lowered below what the user has", async () => {
    const { world, projectId, definition, qualify, grant } = await streakWorld({ freeze_enabled: true, max_freezes: 3 })
    await qualify()
    const lower = { max_freezes: 1 }
    await world.run(world.tenants.transact(projectId, (db) => db.streakDefinitions.update(definition.id, lower)))
    expect(await grant()).toMatchObject({ freezes_remaining: 1 })
  })

  it("gives nothing above the cap, also when that is raised", async () => {
    const { world, projectId, definition, qualify, grant, stored } = await streakWorld(earned)
    await qualify()
    expect(await grant()).toMatchObject({ freezes_remaining: 1 })
    expect(await grant(100)).toMatchObject({ freezes_remaining: 3 })
    expect(await grant()).toMatchObject({ freezes_remaining: 3 })
    await world.run(world.core.streaks.update(projectId, definition.id, { max_freezes: 50 }))
    await world.runPending()
    expect(await stored()).toMatchObject({ freezes_remaining: 3 })
    expect(await grant()).toMatchObject({ freezes_remaining: 4 })
  })

  test.each([0, -1, 1.5, "1", null, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, [1], true])(
    "refuses the count %j",
    async (count) => {
      const { qualify, userId, definition, refusedGrant, stored } = await streakWorld(earned)
      await qualify()
      const before = await stored()
      expect(await refusedGrant(userId, definition.id, count)).toMatchObject({
        ...{
          code: "INVALID_COUNT",
          details: { issues: [{ path: "count", message: "must be an integer of at least 1" }] },
        },
      })
      expect(await stored()).toEqual(before)
    },
  )

  it("never creates a streak", async () => {
    const { world, projectId, userId, definition, refusedGrant, stored } = await streakWorld(earned)
    expect(await refusedGrant(userId, definition.id)).toMatchObject({ code: "USER_STREAK_NOT_FOUND" })
    const nobody = world.ports.ids.uuid()
    expect(await refusedGrant(nobody, definition.id)).toMatchObject({ code: "USER_STREAK_NOT_FOUND" })
    expect(await refusedGrant(userId, nobody)).toMatchObject({ code: "STREAK_DEFINITION_NOT_FOUND" })
    const other = await world.aProjectWithOwner()
    const foreign = await world.run(world.core.streaks.create(other.projectId, aStreakOf(earned)))
    expect(await refusedGrant(userId, foreign.id)).toMatchObject({ code: "STREAK_DEFINITION_NOT_FOUND" })
    expect(await stored()).toBeNull()
    expect(await world.run(world.tenants.read(projectId, (db) => db.userStreaks.grants([])))).toEqual([])
  })

  it("adds up concurrent grants", async () => {
    const { world, projectId, userId, definition, qualify, stored } = await streakWorld({ ...earned, max_freezes: 50 })
    await qualify()
    const grants = Array.from({ length: 8 }, () => world.core.streaks.grantShield(projectId, userId, definition.id))
    await world.run(Effect.all(grants, { concurrency: "unbounded" }))
    expect(await stored()).toMatchObject({ freezes_remaining: 8 })
  })
})

describe("a granted shield", () => {
  it("covers the next day that is missed", async () => {
    const { world, qualify, grant, shown, history } = await streakWorld(earned)
    await qualify()
    await grant()
    await world.advance("2 days")
    expect(await shown()).toBe("frozen 1 (0)")
    await qualify()
    expect([await shown(), await history()]).toEqual(["active 2 (0)", "xfx"])
  })

  it("covers a day that is still open when it is granted", async () => {
    const { world, qualify, grant, history } = await streakWorld(earned)
    await qualify()
    world.clock.advance("35 hours")
    await grant()
    await world.advance("13 hours")
    await qualify()
    expect(await history()).toBe("xfx")
  })

  it("does not cover a day whose deadline has passed, before or after a poll", async () => {
    const { world, qualify, grant, shown } = await streakWorld(earned)
    await qualify()
    world.clock.advance("37 hours")
    expect(await grant()).toMatchObject({ status: "broken", current_count: 0, freezes_remaining: 1, expires_at: null })
    await world.runPending()
    expect(await shown()).toBe("broken 0 (1)")
  })

  it("stays with a broken streak for the next run", async () => {
    const { world, qualify, grant, history, shown } = await streakWorld(earned)
    await qualify()
    await world.advance("5 days")
    await grant()
    await qualify()
    await world.advance("2 days")
    expect([await shown(), await history()]).toEqual(["frozen 1 (0)", "x....xf?"])
  })

  it("writes the freezes that were spent before it", async () => {
    const { world, qualify, grant, history } = await streakWorld({ freeze_enabled: true, max_freezes: 1 })
    await qualify()
    world.clock.advance("2 days")
    expect(await grant()).toMatchObject({ status: "frozen", freezes_remaining: 1 })
    world.clock.advance("1 day")
    expect(await history()).toBe("xff?")
  })

  it("is not used by backfilled events from before it", async () => {
    const { world, qualify, grant, lessons, shown, history } = await streakWorld(earned)
    await qualify()
    await world.advance("5 days")
    await grant()
    await lessons("2026-03-03")
    expect([await shown(), await history()]).toEqual(["broken 0 (1)", "x.x..?"])
    await lessons("2026-03-02")
    expect([await shown(), await history()]).toEqual(["broken 0 (1)", "xxx..?"])
  })

  it("is not used by a run that broke before it, however often events are backfilled", async () => {
    const { world, qualify, grant, lessons, shown, history } = await streakWorld(earned)
    await qualify()
    await world.advance("9 days")
    await grant()
    await lessons("2026-03-03")
    await lessons("2026-03-06")
    expect([await shown(), await history()]).toEqual(["broken 0 (1)", "x.x..x...?"])
  })

  it("is used by a run that backfilled events have kept alive", async () => {
    const { world, qualify, grant, lessons, shown, history } = await streakWorld(earned)
    await qualify()
    await world.advance("3 days")
    await grant()
    await lessons("2026-03-02", "2026-03-03")
    expect(await shown()).toBe("active 3 (1)")
    await world.advance("1 day")
    expect([await shown(), await history()]).toEqual(["frozen 3 (0)", "xxxf?"])
  })

  it("is given once, also where a longer grace lets events count before it", async () => {
    const rules = { freeze_enabled: true, max_freezes: 9, freezes_per_n_events: 100 }
    const { world, qualify, grant, update, lessons, runPending, own } = await streakWorld(rules)
    await lessons("2026-02-26")
    await grant(3)
    await update({ grace_period_hours: 72 })
    await runPending()
    // They count for the 27th, the 28th and the 1st of March, in the order in which they occurred.
    await qualify()
    await world.advance("2 hours")
    await qualify()
    await lessons("2026-03-01T13:00:00Z")
    const { freezes_remaining } = await own()
    expect(freezes_remaining).toBe(3)
  })

  it("is kept through late events and a change of time zone", async () => {
    const { qualify, grant, lessons, moveTo, shown } = await streakWorld(earned)
    await qualify()
    await grant(2)
    await lessons("2026-02-28")
    await moveTo("Asia/Tokyo")
    expect(await shown()).toBe("active 2 (2)")
  })
})
