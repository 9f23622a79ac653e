import { aStreakDefinition, aStreakPeriod, aUserStreak } from "@hearth/testing"
import { describe, expect, it } from "vitest"
import { dayKey, dayOfKey, periodIndex } from "../time/periods.ts"
import { periodViews, type StreakNow, shownPeriods, showOwnStreaks } from "./views.ts"

const userId = "019b76da-a800-7000-8000-00000000abcd"
const daily = aStreakDefinition({ grace_period_hours: 6 })
const weekly = aStreakDefinition({ period: "weekly" })

const makeRows = (definition: typeof daily, done: ReadonlyArray<string>, frozen: ReadonlyArray<string> = []) => {
  const key = { app_user_id: userId, streak_definition_id: definition.id }
  return [
    ...done.map((period_key) => aStreakPeriod({ ...key, period_key })),
    ...frozen.map((period_key) => aStreakPeriod({ ...key, period_key, kind: "freeze" })),
  ]
}

const makeStreak = (definition: typeof daily, frozen: ReadonlyArray<string> = []): StreakNow => ({
  definition,
  streak: aUserStreak({ app_user_id: userId, streak_definition_id: definition.id }),
  frozen: frozen.map((key) => periodIndex(definition.period, key)),
})

const show = (streak: StreakNow, rows: ReturnType<typeof makeRows>, now: string, zone: string | null = null) =>
  periodViews(streak, rows, zone, new Date(now)).map(({ period_start, status }) => [period_start, status].join(" "))

describe("the last periods of a streak [D]", () => {
  it("are shown newest first, from the first that was done to the present one", () => {
    const rows = makeRows(daily, ["2026-03-01", "2026-03-03"], ["2026-03-02"])
    expect(show(makeStreak(daily), rows, "2026-03-06T12:00:00Z")).toEqual([
      "2026-03-06 open",
      "2026-03-05 missed",
      "2026-03-04 missed",
      "2026-03-03 done",
      "2026-03-02 frozen",
      "2026-03-01 done",
    ])
  })

  it("are open until their grace has passed", () => {
    const rows = makeRows(daily, ["2026-03-01"])
    expect(show(makeStreak(daily), rows, "2026-03-03T05:59:59.999Z").slice(0, 2)).toEqual([
      "2026-03-03 open",
      "2026-03-02 open",
    ])
    expect(show(makeStreak(daily), rows, "2026-03-03T06:00:00Z").slice(0, 2)).toEqual([
      "2026-03-03 open",
      "2026-03-02 missed",
    ])
  })

  it("show a freeze that is not written yet", () => {
    const streak = makeStreak(daily, ["2026-03-02"])
    expect(show(streak, makeRows(daily, ["2026-03-01"]), "2026-03-03T12:00:00Z")).toEqual([
      "2026-03-03 open",
      "2026-03-02 frozen",
      "2026-03-01 done",
    ])
  })

  it("are those of the user's zone", () => {
    const rows = makeRows(daily, ["2026-03-01"])
    const at = "2026-03-02T12:00:00Z"
    expect(show(makeStreak(daily), rows, at, "Pacific/Kiritimati")[0]).toBe("2026-03-03 open")
    expect(show(makeStreak(daily), rows, at, "Pacific/Pago_Pago")[0]).toBe("2026-03-02 open")
  })

  it("show a day that is ahead of the user's zone, done before flying west", () => {
    const rows = makeRows(daily, ["2026-03-02", "2026-03-03"])
    expect(show(makeStreak(daily), rows, "2026-03-03T06:00:00Z", "Pacific/Honolulu")).toEqual([
      "2026-03-03 done",
      "2026-03-02 done",
    ])
  })

  it("are weeks with their first and last day", () => {
    const views = periodViews(
      makeStreak(weekly),
      makeRows(weekly, ["2026-02-23"]),
      null,
      new Date("2026-03-08T23:59:59.999Z"),
    )
    expect(views).toEqual([
      { period_start: "2026-03-02", period_end: "2026-03-08", status: "open" },
      { period_start: "2026-02-23", period_end: "2026-03-01", status: "done" },
    ])
  })

  it("are no more than 30", () => {
    const first = dayOfKey("2026-01-01")
    const days = Array.from({ length: 40 }, (_, day) => dayKey(first + day))
    const views = show(makeStreak(daily), makeRows(daily, days), "2026-02-09T12:00:00Z")
    expect(views).toHaveLength(shownPeriods)
    expect([views[0], views.at(-1)]).toEqual(["2026-02-09 done", "2026-01-11 done"])
    expect(show(makeStreak(daily), makeRows(daily, ["2020-01-01"]), "2026-02-09T12:00:00Z")).toHaveLength(shownPeriods)
  })

  it("are empty before the first, and exclude other streaks", () => {
    expect(show(makeStreak(daily), [], "2026-03-01T00:00:00Z")).toEqual([])
    expect(show(makeStreak(daily), makeRows(weekly, ["2026-02-23"]), "2026-03-01T00:00:00Z")).toEqual([])
  })
})

describe("the streaks of a user", () => {
  it("cost a look or two at each period, however many there are", () => {
    const streaks = Array.from({ length: 100 }, () => makeStreak(aStreakDefinition()))
    let looks = 0
    const look = (row: object, key: string | symbol) => {
      if (key === "streak_definition_id") looks += 1
      return Reflect.get(row, key)
    }
    const rows = streaks
      .flatMap(({ definition }) => makeRows(definition, ["2026-03-01", "2026-03-02"]))
      .map((row) => new Proxy<typeof row>(row, { get: look }))
    const shown = showOwnStreaks(streaks, rows, null, new Date("2026-03-02T12:00:00Z"))
    expect(shown.map(({ definition, periods }) => [definition.id, periods.length])).toEqual(
      streaks.map(({ definition }) => [definition.id, 2]),
    )
    expect(looks).toBeLessThanOrEqual(2 * rows.length)
  })
})
