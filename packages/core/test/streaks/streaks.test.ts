import { aUser, aUserStreak } from "@hearth/testing"
import { Effect } from "effect"
import { describe, expect, it, test } from "vitest"
import { days, streakWorld } from "./world.ts"

describe("a streak over time [E2]", () => {
  it("counts day by day, and breaks at the end of a missed day", async () => {
    const { world, qualify, shown, own } = await streakWorld()
    for (const count of [1, 2, 3]) {
      expect(await qualify()).toMatchObject({ status: "active", current_count: count, longest_count: count })
      await world.advance("1 day")
    }
    expect((await own()).expires_at).toEqual(new Date("2026-03-05T00:00:00.000Z"))
    await world.advance("43199999 millis")
    expect(await shown()).toBe("active 3 (0)")
    await world.advance("1 milli")
    expect(await shown()).toBe("broken 0 (0)")
    expect(await own()).toMatchObject({ longest_count: 3, expires_at: null, last_period: "2026-03-03" })
  })

  it("begins again at 1, and keeps the longest", async () => {
    const { world, qualify, own, history } = await streakWorld()
    await qualify()
    await world.advance("1 day")
    await qualify()
    await world.advance("3 days")
    await qualify()
    expect(await own()).toMatchObject({ current_count: 1, longest_count: 2 })
    expect(await history()).toBe("xx..x")
  })

  it("counts a day once, however many lessons there are", async () => {
    const { world, qualify, lessons, shown } = await streakWorld()
    await qualify()
    await world.advance("11 hours")
    await qualify()
    await lessons("2026-03-01T00:00:00.000Z", "2026-03-01T23:59:59.999Z")
    expect(await shown()).toBe("active 1 (0)")
  })

  it("counts only its own event", async () => {
    const { world, projectId, userId } = await streakWorld()
    await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lessons" }))
    await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "Lesson" }))
    await world.runPending()
    expect(await world.run(world.core.streaks.own(projectId, userId))).toEqual([])
  })

  it("counts weeks from Monday to Sunday", async () => {
    const { world, qualify, own, shown } = await streakWorld({ period: "weekly" })
    await qualify()
    await world.advance("1 day")
    expect(await qualify()).toMatchObject({ current_count: 2, last_period: "2026-03-02" })
    await world.advance("6 days")
    expect(await qualify()).toMatchObject({ current_count: 2, expires_at: new Date("2026-03-16T00:00:00.000Z") })
    expect((await own()).periods).toMatchObject([
      { period_start: "2026-03-02", period_end: "2026-03-08", status: "done" },
      { period_start: "2026-02-23", period_end: "2026-03-01", status: "done" },
    ])
    await world.advance("8 days")
    expect(await shown()).toBe("broken 0 (0)")
  })

  it("goes by the days of the user's zone", async () => {
    const options = { timezone: "America/Chicago", startAt: "2026-03-02T05:59:00.000Z" }
    const { world, qualify } = await streakWorld({}, options)
    expect(await qualify()).toMatchObject({ last_period: "2026-03-01", expires_at: new Date("2026-03-03T06:00:00Z") })
    await world.advance("1 minute")
    expect(await qualify()).toMatchObject({ current_count: 2, last_period: "2026-03-02" })
  })

  test.each([
    ["forward", "2026-03-28T20:00:00.000Z", "2026-03-29T22:00:00.000Z"],
    ["back", "2026-10-24T20:00:00.000Z", "2026-10-25T23:00:00.000Z"],
  ])("goes by dates, not by hours, when the clocks go %s", async (_, startAt, deadline) => {
    const { world, qualify, own } = await streakWorld({}, { timezone: "Europe/Berlin", startAt })
    expect((await qualify()).expires_at).toEqual(new Date(deadline))
    world.clock.set(new Date(new Date(deadline).getTime() - 1))
    expect(await own()).toMatchObject({ status: "active" })
    await world.advance("1 milli")
    expect(await own()).toMatchObject({ status: "broken" })
  })
})

describe("freezes over time [E2]", () => {
  it("keep a streak alive while they last", async () => {
    const { world, qualify, shown, own, history } = await streakWorld({ freeze_enabled: true, max_freezes: 2 })
    await qualify()
    expect(await shown()).toBe("active 1 (2)")
    await world.advance("36 hours")
    expect(await shown()).toBe("frozen 1 (1)")
    expect((await own()).expires_at).toEqual(new Date("2026-03-04T00:00:00.000Z"))
    await world.advance("1 day")
    expect(await shown()).toBe("frozen 1 (0)")
    expect(await qualify()).toMatchObject({ status: "active", current_count: 2, freezes_remaining: 0 })
    expect(await history()).toBe("xffx")
    await world.advance("2 days")
    expect(await shown()).toBe("broken 0 (0)")
  })

  it("are all spent as it breaks, and do not come back", async () => {
    const { world, qualify, history } = await streakWorld({ freeze_enabled: true, max_freezes: 2 })
    await qualify()
    await world.advance("5 days")
    expect(await qualify()).toMatchObject({ current_count: 1, freezes_remaining: 0 })
    expect(await history()).toBe("xff..x")
  })

  it("are earned by every third day in a row, up to the cap", async () => {
    const rules = { freeze_enabled: true, max_freezes: 2, freezes_per_n_events: 3 }
    const { world, qualify } = await streakWorld(rules)
    const freezes: Array<number> = []
    for (const _ of days("2026-03-01", 10)) {
      freezes.push((await qualify()).freezes_remaining)
      await qualify()
      await world.advance("1 day")
    }
    expect(freezes).toEqual([0, 0, 1, 1, 1, 2, 2, 2, 2, 2])
  })
})

describe("grace [E2]", () => {
  it("lets an event count for the day before, then for its own, and never for both", async () => {
    const { world, qualify, history, own } = await streakWorld({ grace_period_hours: 6 })
    await qualify()
    await world.advance("41 hours")
    expect((await own()).expires_at).toEqual(new Date("2026-03-03T06:00:00.000Z"))
    expect(await history()).toBe("x??")
    expect(await qualify()).toMatchObject({ current_count: 2, last_period: "2026-03-02" })
    expect(await qualify()).toMatchObject({ current_count: 3, last_period: "2026-03-03" })
    expect(await history()).toBe("xxx")
  })

  it("is over at its end", async () => {
    const { world, qualify, history } = await streakWorld({ grace_period_hours: 6 })
    await qualify()
    await world.advance("42 hours")
    expect(await qualify()).toMatchObject({ current_count: 1, last_period: "2026-03-03" })
    expect(await history()).toBe("x.x")
  })

  it("does not restore a broken run", async () => {
    const { world, qualify, history } = await streakWorld({ grace_period_hours: 6 })
    await qualify()
    await world.advance("65 hours")
    expect(await qualify()).toMatchObject({ current_count: 1, last_period: "2026-03-04" })
    expect(await history()).toBe("x..x")
  })
})

describe("expiring streaks [E2]", () => {
  it("writes what reads already show", async () => {
    const rules = { freeze_enabled: true, max_freezes: 2, grace_period_hours: 3 }
    const polled = await streakWorld(rules, { timezone: "Asia/Kathmandu" })
    const unpolled = await streakWorld(rules, { timezone: "Asia/Kathmandu" })
    const views: Array<string> = []
    await polled.qualify()
    await unpolled.qualify()
    const begun = await unpolled.stored()
    for (let hours = 0; hours < 24 * 6; hours += 5) {
      await polled.world.advance("5 hours")
      unpolled.world.clock.advance("5 hours")
      const one = await polled.own()
      const other = await unpolled.own()
      expect({ ...one, id: "", updated_at: "", app_user_id: "", streak_definition_id: "", definition: "" }).toEqual({
        ...other,
        ...{ id: "", updated_at: "", app_user_id: "", streak_definition_id: "", definition: "" },
      })
      if (views.at(-1) !== one.status) views.push(one.status)
    }
    expect(views).toEqual(["active", "frozen", "broken"])
    expect(await unpolled.stored()).toEqual(begun)
    expect(await polled.stored()).toMatchObject({ status: "broken", current_count: 0, expires_at: null })
  })

  it("happens at the deadline", async () => {
    const { world, qualify, stored } = await streakWorld({ freeze_enabled: true, max_freezes: 1 })
    await qualify()
    await world.advance("10 days")
    expect(await stored()).toMatchObject({ status: "broken", updated_at: new Date("2026-03-04T00:00:00.000Z") })
  })

  // Rows as an earlier release left them, without rules.
  it("takes as many slices as there are", async () => {
    const { world, projectId, definition } = await streakWorld()
    const fields = { streak_definition_id: definition.id, status: "active" as const, current_count: 3 }
    const expires_at = new Date("2026-03-02T00:00:00.000Z")
    const users = Array.from({ length: 2_500 }, () => aUser())
    const streaks = users.map(({ id }) =>
      aUserStreak({ ...fields, app_user_id: id, last_period: "2026-02-28", settled_period: "2026-02-28", expires_at }),
    )
    await world.run(
      world.tenants.transact(projectId, (db) =>
        Effect.andThen(
          Effect.orDie(Effect.forEach(users, (user) => db.users.insert(user), { discard: true })),
          db.userStreaks.save(streaks),
        ),
      ),
    )
    world.clock.advance("2 days")
    await world.run(world.core.background.process(projectId))
    const stored = await world.run(world.tenants.read(projectId, (db) => db.userStreaks.list({}, [])))
    expect(stored.filter(({ status }) => status === "broken")).toHaveLength(2_500)
  })

  it("does not touch a streak that is broken already", async () => {
    const { world, qualify, stored, runPending } = await streakWorld()
    await qualify()
    await world.advance("3 days")
    const broken = await stored()
    await world.advance("30 days")
    await runPending()
    expect(await stored()).toEqual(broken)
  })

  it("corrects an outdated deadline once", async () => {
    const { world, projectId, qualify, stored, own } = await streakWorld()
    const { id } = await qualify()
    const early = new Date("2026-03-01T13:00:00.000Z")
    await world.run(world.tenants.transact(projectId, (db) => db.userStreaks.update(id ?? "", { expires_at: early })))
    await world.advance("2 hours")
    expect(await stored()).toMatchObject({ status: "active", expires_at: new Date("2026-03-03T00:00:00.000Z") })
    expect(await own()).toMatchObject({ current_count: 1 })
  })

  it("comes after the waiting events are handled", async () => {
    const { world, projectId, userId, qualify, shown } = await streakWorld()
    await qualify()
    world.clock.advance("35 hours")
    await world.run(world.core.events.recordOwn(projectId, userId, { event_name: "lesson" }))
    world.clock.advance("2 hours")
    await world.runPending()
    expect(await shown()).toBe("active 2 (0)")
  })
})

describe("a change of time zone [E2]", () => {
  it("moves the deadline, and keeps the days that are done", async () => {
    const { qualify, moveTo, own } = await streakWorld()
    await qualify()
    await moveTo("America/Chicago")
    expect(await own()).toMatchObject({ expires_at: new Date("2026-03-03T06:00:00.000Z"), last_period: "2026-03-01" })
    await moveTo("Pacific/Kiritimati")
    // There the next day is over first, but within 48 hours the one after it does as well.
    expect(await own()).toMatchObject({ expires_at: new Date("2026-03-03T10:00:00.000Z"), last_period: "2026-03-01" })
    await moveTo(null)
    expect(await own()).toMatchObject({ expires_at: new Date("2026-03-03T00:00:00.000Z"), current_count: 1 })
  })

  test.each([false, true])("does not restore a period missed in the old zone, polled before: %s", async (isPolled) => {
    const { world, qualify, moveTo, runPending, shown, stored } = await streakWorld({
      freeze_enabled: true,
      max_freezes: 1,
    })
    await qualify()
    world.clock.advance("37 hours")
    if (isPolled) await runPending()
    expect(await shown()).toBe("frozen 1 (0)")
    await moveTo("America/Los_Angeles")
    expect(await shown()).toBe("frozen 1 (0)")
    expect(await stored()).toMatchObject({ status: "frozen", freezes_remaining: 0 })
  })

  it("counts a day once that the user has twice by flying west", async () => {
    const { world, qualify, moveTo, history, own } = await streakWorld({}, { timezone: "Asia/Tokyo" })
    await world.advance("4 hours")
    await qualify()
    await moveTo("America/Los_Angeles")
    expect(await qualify()).toMatchObject({ current_count: 1, last_period: "2026-03-02" })
    await world.advance("1 day")
    expect(await qualify()).toMatchObject({ current_count: 1 })
    await world.advance("1 day")
    expect(await qualify()).toMatchObject({ current_count: 2, last_period: "2026-03-03" })
    expect(await history()).toBe("xx")
    expect((await own()).expires_at).toEqual(new Date("2026-03-05T08:00:00.000Z"))
  })
})

describe("a day that a move to the east has skipped [facts 2e, 6]", () => {
  // Done on Monday evening in Los Angeles; it is Wednesday morning in Tokyo eleven hours later.
  const fly = async (rules: Parameters<typeof streakWorld>[0] = {}, isPolled = false) => {
    const streak = await streakWorld(rules, { startAt: "2026-06-02T03:00:00.000Z", timezone: "America/Los_Angeles" })
    await streak.qualify()
    streak.world.clock.advance("1 hour")
    await streak.moveTo("Asia/Tokyo")
    streak.world.clock.advance("20 hours")
    if (isPolled) await streak.runPending()
    return streak
  }

  test.each([false, true])("is not missed, polled before: %s", async (isPolled) => {
    const { qualify, shown, stored, own, history, world } = await fly({}, isPolled)
    expect([await shown(), await history()]).toEqual(["active 1 (0)", "x.?"])
    expect([(await stored())?.status, (await own()).expires_at]).toEqual([
      "active",
      new Date("2026-06-03T15:00:00.000Z"),
    ])
    await qualify()
    expect([await shown(), await history()]).toEqual(["active 2 (0)", "x.x"])
    await world.advance("1 day")
    await qualify()
    expect([await shown(), await history()]).toEqual(["active 3 (0)", "x.xx"])
  })

  test.each([false, true])("takes no freeze, polled before: %s", async (isPolled) => {
    const { qualify, shown, history } = await fly({ freeze_enabled: true, max_freezes: 1 }, isPolled)
    expect(await shown()).toBe("active 1 (1)")
    await qualify()
    expect([await shown(), await history()]).toEqual(["active 2 (1)", "x.x"])
  })

  it("is not missed either where something came late or was granted meanwhile", async () => {
    const earned = { freeze_enabled: true, max_freezes: 2, freezes_per_n_events: 9 }
    const { grant, lessons, qualify, runPending, shown, history } = await fly(earned)
    await lessons("2026-05-31T12:00:00Z")
    await runPending()
    expect(await shown()).toBe("active 2 (0)")
    await grant(1)
    expect([await shown(), await history()]).toEqual(["active 2 (1)", "xx.?"])
    await qualify()
    expect([await shown(), await history()]).toEqual(["active 3 (1)", "xx.x"])
  })

  it("is not missed either where more was done after the move, on the day that was done", async () => {
    const { world, qualify, moveTo, shown, stored, history } = await streakWorld(
      {},
      { startAt: "2026-06-02T03:00:00.000Z", timezone: "America/Los_Angeles" },
    )
    await qualify()
    await moveTo("America/Denver")
    world.clock.advance("1 hour")
    expect(await qualify()).toMatchObject({ current_count: 1, expires_at: new Date("2026-06-04T03:00:00.000Z") })
    // Half past midnight: the third of June, and in Los Angeles the second.
    await world.advance("26.5 hours")
    expect([await shown(), await history(), (await stored())?.status]).toEqual(["active 1 (0)", "x.?", "active"])
    await qualify()
    expect([await shown(), await history()]).toEqual(["active 2 (0)", "x.x"])
  })

  test.each([
    ["as the day after it ends", 0, "2026-06-03T15:00:00.000Z"],
    ["48 hours after the last event, where that is sooner", 30, "2026-06-04T03:00:00.000Z"],
  ])("is missed where nothing is done: %s", async (_, grace_period_hours, at) => {
    const { world, shown, stored, own } = await fly({ grace_period_hours })
    expect((await own()).expires_at).toEqual(new Date(at))
    const left = Date.parse(at) - world.clock.now().getTime()
    await world.advance(left - 1)
    expect([await shown(), (await stored())?.status]).toEqual(["active 1 (0)", "active"])
    await world.advance(1)
    expect([await shown(), (await stored())?.status]).toEqual(["broken 0 (0)", "broken"])
  })

  it("stays so when late events and rules count again", async () => {
    const { qualify, lessons, update, runPending, shown, history } = await fly()
    await qualify()
    await lessons("2026-05-31T12:00:00Z")
    expect([await shown(), await history()]).toEqual(["active 3 (0)", "xx.x"])
    for (const grace_period_hours of [1, 0]) {
      await update({ grace_period_hours })
      await runPending()
    }
    expect([await shown(), await history()]).toEqual(["active 3 (0)", "xx.x"])
    await lessons("2026-06-02T06:00:00Z")
    expect([await shown(), await history()]).toEqual(["active 4 (0)", "xxxx"])
  })

  it("is missed by who does nothing on the day after it", async () => {
    const { world, qualify, shown, history } = await fly()
    world.clock.advance("17 hours")
    expect(await shown()).toBe("broken 0 (0)")
    await qualify()
    expect([await shown(), await history()]).toEqual(["active 1 (0)", "x..x"])
  })
})

describe("the user's own view [D]", () => {
  it("shows the streaks that were begun, the oldest definition first, with their definition", async () => {
    const { world, projectId, userId, definition, qualify } = await streakWorld()
    await world.advance("1 second")
    const { id: _, created_at: __, ...rules } = definition
    const second = await world.run(world.core.streaks.create(projectId, { ...rules, name: "Other", period: "weekly" }))
    await world.run(world.core.streaks.create(projectId, { ...rules, qualifying_event: "never" }))
    await qualify()
    const streaks = await world.run(world.core.streaks.own(projectId, userId))
    expect(streaks.map((streak) => streak.definition)).toEqual([definition, second])
    expect(streaks.map((streak) => streak.current_count)).toEqual([1, 1])
  })

  it("is refused after the user was removed", async () => {
    const { world, projectId, userId } = await streakWorld()
    await world.run(world.core.users.remove(projectId, userId))
    const refused = await world.run(Effect.flip(world.core.streaks.own(projectId, userId)))
    expect(refused).toMatchObject({ code: "INVALID_TOKEN" })
  })
})
