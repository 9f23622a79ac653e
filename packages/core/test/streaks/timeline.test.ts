import type { StreakTimelineEntry } from "@hearth/core/streaks"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { streakWorld } from "./world.ts"

const timelineWorld = async (
  rules: Parameters<typeof streakWorld>[0] = {},
  options: Parameters<typeof streakWorld>[1] = {},
) => {
  const world = await streakWorld(rules, { startAt: "2026-03-10T12:00:00.000Z", ...options })
  const { timelines } = world.world.core.streaks
  const key = { app_user_id: world.userId, streak_definition_id: world.definition.id }
  const read = (limit = 90) => world.world.run(timelines.ofUser(world.projectId, key, limit))
  return {
    ...world,
    key,
    timelines,
    read,
    /** Each entry on a line, newest first. */
    lines: async (limit?: number) =>
      (await read(limit)).map((entry: StreakTimelineEntry) =>
        "period" in entry
          ? `${entry.period.slice(5)} ${entry.kind} ${entry.count_after} (${entry.freezes_after})`
          : `${entry.kind} ${entry.count} at ${entry.at.toISOString().slice(5, 10)}`,
      ),
  }
}

describe("the timeline of a streak [G10.1]", () => {
  it("has done, frozen, missed and open periods, newest first, with the count and the freezes after each", async () => {
    const { lessons, lines } = await timelineWorld({ freeze_enabled: true, max_freezes: 1 })
    await lessons("2026-03-03", "2026-03-04", "2026-03-06", "2026-03-09")
    expect(await lines()).toEqual([
      "03-10 open 1 (0)",
      "03-09 done 1 (0)",
      "03-08 missed 0 (0)",
      "03-07 missed 0 (0)",
      "03-06 done 3 (0)",
      "03-05 frozen 2 (0)",
      "03-04 done 2 (1)",
      "03-03 done 1 (1)",
    ])
  })

  it("has the freezes that were granted and earned, with their time, not counted in limit", async () => {
    const { lessons, lines, grant, world } = await timelineWorld({
      freeze_enabled: true,
      max_freezes: 3,
      freezes_per_n_events: 2,
    })
    await lessons("2026-03-08", "2026-03-09")
    await grant(5)
    await world.advance("4 days")
    const expected = [
      "03-14 open 2 (0)",
      "03-13 missed 0 (0)",
      "03-12 frozen 2 (0)",
      "03-11 frozen 2 (1)",
      "03-10 frozen 2 (2)",
      // Of the five that were granted two were above the cap.
      "granted 2 at 03-10",
      "earned 1 at 03-09",
      "03-09 done 2 (1)",
      "03-08 done 1 (0)",
    ]
    const open = "03-14 open 0 (0)"
    expect(await lines()).toEqual([open, ...expected.slice(1)])
    expect(await lines(5)).toEqual([open, ...expected.slice(1, 5)])
    expect(await lines(6)).toEqual([open, ...expected.slice(1, 8)])
  })

  it("says in sentences why, by the rules and in the zone of now", async () => {
    const { lessons, read } = await timelineWorld(
      { freeze_enabled: true, max_freezes: 1, grace_period_hours: 6 },
      { timezone: "Europe/Berlin" },
    )
    await lessons("2026-03-05", "2026-03-07T04:30:00Z", "2026-03-09")
    const reasons = (await read()).map((entry) => ("reason" in entry ? `${entry.kind}: ${entry.reason}` : ""))
    expect(reasons).toEqual([
      "open: There is time until 11 March 2026, 06:00 (Europe/Berlin) to keep the streak of 1 day; otherwise it ends.",
      "done: Done on 9 March 2026, 13:00 (Europe/Berlin): a new streak began.",
      "missed: Nothing was done in this day and no freeze was left, so the streak of 2 days ended.",
      "frozen: Nothing was done in this day: a freeze kept the streak at 2 days, with 0 freezes left.",
      "done: Done on 7 March 2026, 05:30 (Europe/Berlin), within the grace after its end: the streak went on to 2 days.",
      "done: Done on 5 March 2026, 13:00 (Europe/Berlin): a new streak began.",
    ])
  })

  it.each([0, 6])("tells of no grace for an event of its own day in the zone before, with %i hours", async (hours) => {
    const { world, lessons, moveTo, read } = await timelineWorld({ grace_period_hours: hours })
    await world.advance("9 hours")
    await lessons("2026-03-10T20:00:00Z")
    await moveTo("Asia/Tokyo")
    expect((await read()).flatMap((entry) => ("reason" in entry ? [entry.reason] : [])).at(-1)).toBe(
      "Done on 11 March 2026, 05:00 (Asia/Tokyo): a new streak began.",
    )
  })

  it("says that a day is not missed which a move to the east has skipped", async () => {
    const { world, lessons, moveTo, lines, read } = await timelineWorld({}, { timezone: "America/Los_Angeles" })
    await world.advance("2 hours")
    await lessons("2026-03-09T03:00:00Z", "2026-03-10T03:00:00Z")
    await moveTo("Asia/Tokyo")
    await world.advance("1 day")
    const sentences = async () => (await read()).flatMap((entry) => ("reason" in entry ? [entry.reason] : []))
    expect(await lines()).toEqual(["03-11 open 2 (0)", "03-10 missed 2 (0)", "03-09 done 2 (0)", "03-08 done 1 (0)"])
    expect((await sentences()).slice(0, 2)).toEqual([
      "There is time until 12 March 2026, 00:00 (Asia/Tokyo) to keep the streak of 2 days; otherwise it ends.",
      "This day was cut short by a move to a time zone further east, so it is not missed.",
    ])
    await lessons("2026-03-10T23:00:00Z")
    expect(await lines()).toEqual(["03-11 done 3 (0)", "03-10 missed 2 (0)", "03-09 done 2 (0)", "03-08 done 1 (0)"])
    expect((await sentences())[1]).toBe(
      "This day was cut short by a move to a time zone further east, so it is not missed.",
    )
  })

  it("has the bounds of periods in the user's zone, also of weeks", async () => {
    const { lessons, read } = await timelineWorld({ period: "weekly" }, { timezone: "Europe/Berlin" })
    await lessons("2026-03-04")
    expect(await read(1)).toMatchObject([
      {
        period: "2026-03-09",
        starts_at: new Date("2026-03-08T23:00:00.000Z"),
        ends_at: new Date("2026-03-15T23:00:00.000Z"),
        kind: "open",
        count_after: 1,
        reason:
          "There is time until 16 March 2026, 00:00 (Europe/Berlin) to keep the streak of 1 week; otherwise it ends.",
      },
    ])
  })

  it("has the first five events of a period with their ids, also after the qualifying name has changed", async () => {
    const { world, projectId, userId, lessons, update, read } = await timelineWorld()
    const hours = ["07", "08", "09", "10", "11", "12"].map((hour) => `2026-03-09T${hour}:00:00Z`)
    await lessons(...hours)
    await world.run(
      world.core.events.record(projectId, { app_user_id: userId, event_name: "other", occurred_at: hours[0] }),
    )
    const { rows } = await world.run(world.core.events.ofUser(projectId, userId, { limit: 100, offset: 0 }))
    const expected = rows
      .filter(({ event_name }) => event_name === "lesson")
      .toReversed()
      .slice(0, 5)
      .map(({ id, occurred_at }) => ({ id, occurred_at }))
    expect(expected).toHaveLength(5)
    const eventsOf = async () => (await read()).flatMap((entry) => ("events" in entry ? [entry.events] : []))
    expect(await eventsOf()).toEqual([[], expected])
    await update({ qualifying_event: "another" })
    expect((await eventsOf())[1]?.slice(1)).toEqual(expected.slice(1))
  })

  it("is the same before and after an expiry has run, and while a rebuild waits its newest count is the streak's", async () => {
    const { lessons, lines, runPending, update, own, read } = await timelineWorld({
      freeze_enabled: true,
      max_freezes: 2,
    })
    await lessons("2026-03-06", "2026-03-07")
    const before = await lines()
    await runPending()
    expect(await lines()).toEqual(before)
    await update({ freeze_enabled: false })
    expect((await read())[0]).toMatchObject({ count_after: (await own()).current_count })
    await runPending()
    expect((await lines())[0]).toBe("03-10 open 0 (0)")
  })

  it("is refused for what is not there, and empty for a caller who has not begun", async () => {
    const { world, projectId, userId, key, timelines } = await timelineWorld()
    const nobody = "0189f7e2-5c3a-7d4b-9f00-0123456789ab"
    const code = (given: Partial<typeof key>) =>
      world.run(Effect.map(Effect.flip(timelines.ofUser(projectId, { ...key, ...given }, 90)), (error) => error.code))
    expect(await code({})).toBe("USER_STREAK_NOT_FOUND")
    expect(await code({ app_user_id: nobody })).toBe("USER_STREAK_NOT_FOUND")
    expect(await code({ streak_definition_id: nobody })).toBe("STREAK_DEFINITION_NOT_FOUND")
    expect(await world.run(timelines.own(projectId, key, 90))).toEqual([])
    const unknown = timelines.own(projectId, { app_user_id: userId, streak_definition_id: nobody }, 90)
    expect(await world.run(Effect.flip(unknown))).toMatchObject({ code: "STREAK_DEFINITION_NOT_FOUND" })
    const gone = timelines.own(projectId, { ...key, app_user_id: nobody }, 90)
    expect(await world.run(Effect.flip(gone))).toMatchObject({ code: "INVALID_TOKEN" })
  })
})
