import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { aStreakOf, days, streakWorld } from "./world.ts"

/** A world with one streak, and how many entries wait in its outbox. */
const worldWithOutbox = async (...given: Parameters<typeof streakWorld>) => {
  const world = await streakWorld(...given)
  const { tenants, run } = world.world
  return {
    ...world,
    waiting: async () => (await run(tenants.read(world.projectId, (db) => db.outbox.waiting()))).entries,
    record: (...instants: ReadonlyArray<string>) =>
      run(
        world.world.core.events.recordOwn(world.projectId, world.userId, {
          events: instants.map((day) => ({ event_name: "lesson", occurred_at: `${day}T12:00:00Z` })),
        }),
      ),
  }
}

describe("daily, weekly and daily again [E2]", () => {
  it("gives back what was there, qualified days and shields included", async () => {
    const rules = { freeze_enabled: true, max_freezes: 3, freezes_per_n_events: 4 }
    const { world, lessons, qualify, grant, update, own, history, runPending } = await streakWorld(rules)
    await lessons("2026-02-23", "2026-02-24", "2026-02-26", "2026-02-27", "2026-02-28")
    await qualify()
    await grant(2)
    await world.advance("2 days")
    await qualify()
    const before = await own()
    const periods = await history()
    expect([periods, before.freezes_remaining]).toEqual(["xx.xxxxfx", 2])
    await update({ period: "weekly" })
    await runPending()
    expect((await own()).periods.map(({ period_start }) => period_start)).toEqual(["2026-03-02", "2026-02-23"])
    await update({ period: "daily" })
    await runPending()
    expect(await history()).toBe(periods)
    expect(await own()).toEqual({ ...before, updated_at: expect.any(Date) })
  })

  it("keeps the days that were done where the user lived then", async () => {
    const { world, lessons, moveTo, update, own, history, runPending } = await streakWorld(
      {},
      { timezone: "Asia/Tokyo" },
    )
    // In Los Angeles both would be of one day.
    await lessons("2026-02-27T14:00:00Z", "2026-02-27T16:00:00Z")
    await moveTo("America/Los_Angeles")
    await world.advance("1 hour")
    const before = await own()
    await update({ period: "weekly" })
    await runPending()
    await update({ period: "daily" })
    await runPending()
    expect(await history()).toBe("xx?")
    expect((await own()).periods).toEqual(before.periods)
  })

  it("does not count what was not the qualifying event then, or was there before the definition", async () => {
    const { world, projectId, userId, lessons, update, runPending } = await streakWorld()
    await lessons("2026-02-25", "2026-02-26")
    await update({ qualifying_event: "other" })
    const second = await world.run(world.core.streaks.create(projectId, aStreakOf()))
    await lessons("2026-02-27")
    await world.run(
      world.core.events.recordOwn(projectId, userId, { event_name: "other", occurred_at: "2026-02-28T12:00:00Z" }),
    )
    await runPending()
    for (const period of ["weekly", "daily"] as const) {
      await update({ period })
      await world.run(world.core.streaks.update(projectId, second.id, { period }))
      await runPending()
    }
    const done = (await world.run(world.core.streaks.own(projectId, userId))).map(({ periods }) =>
      periods.filter(({ status }) => status === "done").map(({ period_start }) => period_start),
    )
    expect(done).toEqual([["2026-02-28", "2026-02-26", "2026-02-25"], ["2026-02-27"]])
  })
})

describe("a pending rebuild [E2]", () => {
  it("is made once by several changes, and by none that changes nothing", async () => {
    const { update, lessons, waiting, runPending, own } = await worldWithOutbox()
    await lessons("2026-02-23", "2026-03-01")
    await update({ period: "daily", grace_period_hours: 0, freeze_enabled: false, max_freezes: 1, name: "Other" })
    expect(await waiting()).toBe(0)
    await update({ period: "weekly" })
    await update({ freeze_enabled: true })
    await update({ max_freezes: 10 })
    await update({ max_freezes: 10 })
    expect(await waiting()).toBe(1)
    await update({ period: "daily" })
    expect(await waiting()).toBe(1)
    await runPending()
    expect([await waiting(), (await own()).current_count]).toEqual([0, 2])
  })

  it("is begun again by a change in its middle, by the last rules", async () => {
    const { world, projectId, definition, update, waiting } = await worldWithOutbox()
    const users = await world.run(
      Effect.forEach(Array.from({ length: 501 }), () => world.core.auth.anonymous(projectId)),
    )
    for (const day of ["2026-02-27", "2026-03-01"]) {
      const all = users.map(({ user }) => ({
        app_user_id: user.id,
        event_name: "lesson",
        occurred_at: `${day}T12:00:00Z`,
      }))
      for (const events of [all.slice(0, 500), all.slice(500)]) {
        await world.run(world.core.events.record(projectId, { events }))
      }
    }
    await world.runPending()
    await update({ freeze_enabled: true })
    // One slice, in the way of the dispatcher.
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.gen(function* () {
          const head = yield* db.outbox.next({ events: 1, bytes: 1, topics: ["streaks.rebuild"], properties: false })
          if (head?.kind !== "entry") throw new Error("No rebuild waits.")
          yield* db.outbox.remove(head)
          const after_user_id = users.map(({ user }) => user.id).toSorted()[250] ?? ""
          yield* db.outbox.add("streaks.rebuild", { definition_id: definition.id, after_user_id })
        }),
      ),
    )
    await update({ period: "weekly", freeze_enabled: false })
    expect(await waiting()).toBe(1)
    await world.runPending()
    const rows = await world.run(
      world.tenants.read(projectId, (db) => db.userStreaks.list({ streak_definition_id: definition.id }, [])),
    )
    expect(new Set(rows.map(({ current_count, last_period }) => `${current_count} ${last_period}`))).toEqual(
      new Set(["1 2026-02-23"]),
    )
  })

  it("is met by events that count as if it had run before, and make no record of their own", async () => {
    const { lessons, record, runPending, update, own, waiting, world, projectId } = await worldWithOutbox()
    await lessons(...days("2026-02-02", 20))
    await update({ period: "weekly" })
    await record("2026-02-28", "2026-02-10")
    await world.run(world.core.background.process(projectId))
    await runPending()
    expect(await waiting()).toBe(0)
    expect(await own()).toMatchObject({ current_count: 4, longest_count: 20, last_period: "2026-02-23" })
    await update({ period: "daily" })
    await runPending()
    // Not 21: no day was added to the count of weeks, and no week to that of days.
    expect(await own()).toMatchObject({ current_count: 1, longest_count: 20, last_period: "2026-02-28" })
  })

  it("counts a call that qualifies before it has run, once", async () => {
    const { lessons, update, qualify, runPending, own } = await streakWorld()
    await lessons(...days("2026-02-23", 6))
    await update({ period: "weekly" })
    expect(await qualify()).toMatchObject({ current_count: 1, longest_count: 6 })
    await runPending()
    expect(await own()).toMatchObject({ current_count: 1, longest_count: 6 })
    await update({ period: "daily" })
    expect(await qualify()).toMatchObject({ current_count: 7, longest_count: 7 })
  })

  it("is not disturbed by a deadline that passes meanwhile", async () => {
    const { lessons, update, world, runPending, own, history } = await streakWorld()
    await lessons("2026-02-27", "2026-02-28", "2026-03-01")
    await update({ grace_period_hours: 36 })
    world.clock.advance("37 hours")
    await runPending()
    expect(await own()).toMatchObject({
      current_count: 3,
      status: "active",
      expires_at: new Date("2026-03-04T12:00:00Z"),
    })
    expect(await history()).toBe("xxx??")
  })
})
