import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { aStreakOf, days, streakWorld } from "./world.ts"

const everything = { limit: 1_000, offset: 0 }

describe("streak definitions (spec: admin plane, streaks)", () => {
  it("are listed, the oldest first", async () => {
    const { world, projectId, definition } = await streakWorld()
    await world.advance("1 second")
    const second = await world.run(world.core.streaks.create(projectId, aStreakOf({ name: "Second" })))
    const page = await world.run(world.core.streaks.list(projectId, everything))
    expect(page).toEqual({ rows: [definition, second], total: 2 })
    expect(await world.run(world.core.streaks.list(projectId, { limit: 1, offset: 1 }))).toEqual({
      rows: [second],
      total: 2,
    })
  })

  it("are at most 1,000, also where several are made at once [G0.6]", async () => {
    const { world, projectId, definition } = await streakWorld()
    const rows = Array.from({ length: 998 }, () => ({ ...definition, id: world.ports.ids.uuid() }))
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.forEach(rows, (row) => Effect.orDie(db.streakDefinitions.insert(row))),
      ),
    )
    const create = Effect.match(world.core.streaks.create(projectId, aStreakOf({ name: "One more" })), {
      onFailure: ({ code }) => code,
      onSuccess: () => "made",
    })
    const made = await Promise.all([create, create, create].map(world.run))
    expect(made.toSorted()).toEqual(["LIMIT_REACHED", "LIMIT_REACHED", "made"])
    expect(await world.run(Effect.flip(world.core.streaks.create(projectId, aStreakOf({}))))).toMatchObject({
      details: { limit: 1_000 },
    })
    await world.run(world.core.streaks.remove(projectId, definition.id))
    expect(await world.run(create)).toBe("made")
  })

  it("are changed in the fields that are given", async () => {
    const { definition, update } = await streakWorld({ description: "Every day", freezes_per_n_events: 5 })
    expect(await update({ name: "Other", freezes_per_n_events: null })).toEqual({
      ...definition,
      name: "Other",
      freezes_per_n_events: null,
    })
    expect(await update({})).toMatchObject({ name: "Other", description: "Every day" })
  })

  it("that are not there cannot be changed [A7]", async () => {
    const { world, projectId } = await streakWorld()
    const nowhere = world.ports.ids.uuid()
    for (const changes of [{ name: "Other" }, { period: "weekly" as const }, {}]) {
      const refused = await world.run(Effect.flip(world.core.streaks.update(projectId, nowhere, changes)))
      expect(refused).toMatchObject({ code: "NOT_FOUND" })
    }
    expect((await world.run(world.tenants.read(projectId, (db) => db.outbox.waiting()))).entries).toBe(0)
  })

  it("remove all streaks of the definition with them, and no others", async () => {
    const { world, projectId, userId, definition, qualify } = await streakWorld()
    const other = await world.run(world.core.streaks.create(projectId, aStreakOf()))
    await qualify()
    await world.run(world.core.streaks.remove(projectId, definition.id))
    await world.run(world.core.streaks.remove(projectId, definition.id))
    const left = await world.run(world.core.streaks.own(projectId, userId))
    expect(left.map(({ streak_definition_id }) => streak_definition_id)).toEqual([other.id])
  })

  it("can be removed while they are rebuilt", async () => {
    const { world, projectId, definition, qualify, update } = await streakWorld()
    await qualify()
    await update({ freeze_enabled: true })
    await world.run(world.core.streaks.remove(projectId, definition.id))
    await world.runPending()
    expect(world.signals.of("processing_failed")).toEqual([])
    expect((await world.run(world.tenants.read(projectId, (db) => db.outbox.waiting()))).entries).toBe(0)
  })

  it("count events that are handled after their creation only", async () => {
    const { world, projectId, userId, lessons, qualify } = await streakWorld()
    await lessons("2026-02-27", "2026-02-28")
    await world.run(world.core.streaks.create(projectId, aStreakOf()))
    await qualify()
    const streaks = await world.run(world.core.streaks.own(projectId, userId))
    expect(streaks.map(({ current_count }) => current_count)).toEqual([3, 1])
  })
})

describe("a change of the rules rebuilds all streaks [E2]", () => {
  it("in the background, and not when only the texts have changed", async () => {
    const { world, projectId, lessons, update, stored } = await streakWorld()
    const waiting = async () => (await world.run(world.tenants.read(projectId, (db) => db.outbox.waiting()))).entries
    await lessons("2026-02-26", "2026-02-28", "2026-03-01")
    await update({ name: "Other", description: "Words", qualifying_event: "other" })
    expect(await waiting()).toBe(0)
    await update({ freeze_enabled: true })
    expect([await waiting(), (await stored())?.current_count]).toEqual([1, 2])
    await world.runPending()
    expect([await waiting(), (await stored())?.current_count]).toEqual([0, 3])
  })

  test.each<
    [sentence: string, before: Parameters<typeof aStreakOf>[0], changes: object, view: string, periods: string]
  >([
    ["freezes that are enabled cover old gaps", {}, { freeze_enabled: true }, "active 4 (0)", "xfxxx"],
    [
      "freezes that are disabled uncover them",
      { freeze_enabled: true },
      { freeze_enabled: false },
      "active 3 (0)",
      "x.xxx",
    ],
    ["more freezes", { freeze_enabled: true }, { max_freezes: 4 }, "active 4 (3)", "xfxxx"],
    ["no freezes", { freeze_enabled: true }, { max_freezes: 0 }, "active 3 (0)", "x.xxx"],
    ["freezes that have to be earned", { freeze_enabled: true }, { freezes_per_n_events: 3 }, "active 3 (1)", "x.xxx"],
  ])("%s", async (_, before, changes, view, periods) => {
    const { world, lessons, update, shown, history, own } = await streakWorld(before)
    await lessons("2026-02-25", "2026-02-27", "2026-02-28", "2026-03-01")
    const { longest_count } = await own()
    await update(changes)
    await world.runPending()
    expect([await shown(), await history()]).toEqual([view, periods])
    expect((await own()).longest_count).toBeGreaterThanOrEqual(longest_count)
  })

  it("a longer grace reopens a missed period", async () => {
    const { world, qualify, update, shown, own, history } = await streakWorld()
    await qualify()
    await world.advance("37 hours")
    expect(await shown()).toBe("broken 0 (0)")
    await update({ grace_period_hours: 6 })
    await world.runPending()
    expect(await own()).toMatchObject({ status: "active", expires_at: new Date("2026-03-03T06:00:00.000Z") })
    expect(await history()).toBe("x??")
    expect(await qualify()).toMatchObject({ current_count: 2, last_period: "2026-03-02" })
  })

  it("a shorter grace closes an open period", async () => {
    const { world, qualify, update, shown } = await streakWorld({ grace_period_hours: 6 })
    await qualify()
    await world.advance("37 hours")
    expect(await shown()).toBe("active 1 (0)")
    await update({ grace_period_hours: 0 })
    await world.runPending()
    expect(await shown()).toBe("broken 0 (0)")
  })

  it("keeps the freezes that were granted", async () => {
    const { world, qualify, update, grant, shown } = await streakWorld({
      freeze_enabled: true,
      max_freezes: 3,
      freezes_per_n_events: 9,
    })
    await qualify()
    await grant(2)
    await update({ freezes_per_n_events: 8 })
    await world.runPending()
    expect(await shown()).toBe("active 1 (2)")
  })

  it("covers all users in slices of 500, each in a transaction of its own", async () => {
    const { world, projectId, definition, update } = await streakWorld()
    const users = await world.run(
      Effect.forEach(Array.from({ length: 1_050 }), () => world.core.auth.anonymous(projectId)),
    )
    const batch = users.flatMap(({ user }) =>
      ["2026-02-27", "2026-03-01"].map((day) => ({
        app_user_id: user.id,
        event_name: "lesson",
        occurred_at: `${day}T12:00:00Z`,
      })),
    )
    for (let from = 0; from < batch.length; from += 500) {
      const events = batch.slice(from, from + 500)
      await world.run(world.core.events.record(projectId, { events }))
    }
    await world.runPending()
    const counts = () =>
      world.run(
        world.tenants.read(projectId, (db) =>
          Effect.map(db.userStreaks.list({ streak_definition_id: definition.id }, []), (rows) =>
            rows.map(({ current_count }) => current_count),
          ),
        ),
      )
    expect(new Set(await counts())).toEqual(new Set([1]))
    await update({ freeze_enabled: true })
    const before = world.signals.of("events_reacted").length
    await world.runPending()
    const after = await counts()
    expect([after.length, ...new Set(after)]).toEqual([1_050, 2])
    expect(world.signals.of("events_reacted").length - before).toBe(3)
  })
})

describe("another period [E2]", () => {
  it("turns days into weeks", async () => {
    const { world, lessons, update, own, definition } = await streakWorld()
    await lessons(...days("2026-02-09", 7), "2026-02-18", "2026-02-28", "2026-03-01")
    await update({ period: "weekly" })
    await world.runPending()
    expect(definition.period).toBe("daily")
    expect(await own()).toMatchObject({
      current_count: 3,
      longest_count: 7,
      last_period: "2026-02-23",
      expires_at: new Date("2026-03-09T00:00:00.000Z"),
    })
    expect((await own()).periods.map(({ period_start }) => period_start)).toEqual([
      "2026-02-23",
      "2026-02-16",
      "2026-02-09",
    ])
  })

  it("shows as many weeks as there were, not as many as there were days", async () => {
    const { world, lessons, update, own, history } = await streakWorld()
    await lessons(...days("2025-12-22", 70))
    await update({ period: "weekly" })
    await world.runPending()
    expect(await history()).toBe("x".repeat(10))
    expect(await own()).toMatchObject({ current_count: 10, longest_count: 70 })
  })

  it("does not count a week as missed that has only begun", async () => {
    const { world, lessons, update, shown, own } = await streakWorld()
    await lessons(...days("2026-02-23", 7))
    // Thursday: Monday to Wednesday were missed, and expired by a poll.
    await world.advance("4 days")
    expect(await shown()).toBe("broken 0 (0)")
    await update({ period: "weekly" })
    await world.runPending()
    expect(await own()).toMatchObject({ current_count: 1, status: "active", settled_period: "2026-02-23" })
    await lessons("2026-03-05")
    expect(await own()).toMatchObject({ current_count: 2, last_period: "2026-03-02" })
  })

  it("turns weeks into the days that were done in them", async () => {
    const { lessons, runPending, update, own, history } = await streakWorld({ period: "weekly" })
    await lessons("2026-02-18", "2026-02-27", "2026-02-28")
    await update({ period: "daily" })
    await runPending()
    expect(await own()).toMatchObject({ current_count: 2, longest_count: 2, last_period: "2026-02-28" })
    expect(await history()).toBe("x........xx?")
  })

  it("is handled in order with the events around it", async () => {
    const { world, projectId, userId, update, own } = await streakWorld()
    const record = (day: string) => {
      const event = { event_name: "lesson", occurred_at: `${day}T12:00:00Z` }
      return world.run(world.core.events.recordOwn(projectId, userId, event))
    }
    await record("2026-02-18")
    await update({ period: "weekly" })
    await record("2026-02-25")
    await world.runPending()
    expect(await own()).toMatchObject({ current_count: 2, last_period: "2026-02-23" })
  })
})
