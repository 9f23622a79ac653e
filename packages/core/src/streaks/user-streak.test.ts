import { aStreakDefinition, aUserStreak } from "@hearth/testing"
import { describe, expect, it, test } from "vitest"
import { periodIndex, periodKey } from "../time/periods.ts"
import type { StreakDefinition } from "./definition.ts"
import { advance, newRun } from "./run/run.ts"
import { bringUpToDate, frozenPeriods, newUserStreak, readRun, type UserStreak, withRun } from "./user-streak.ts"

const userId = "019b76da-a800-7000-8000-00000000abcd"
const writtenAt = new Date("2026-03-01T12:00:00.000Z")

const define = (rules: Partial<StreakDefinition>) => aStreakDefinition(rules)

/** The streak of a user who did these periods, as it was written right after the last. */
const after = (definition: StreakDefinition, zone: string | null, ...done: ReadonlyArray<string>): UserStreak => {
  const run = done.reduce(
    (before, key) => advance(definition, before, periodIndex(definition.period, key)).run,
    newRun(definition),
  )
  const streak = aUserStreak({ app_user_id: userId, streak_definition_id: definition.id })
  return withRun(definition, streak, run, zone, writtenAt)
}

const shownAt = (definition: StreakDefinition, streak: UserStreak, zone: string | null, instant: string) => {
  const { streak: now, frozen } = bringUpToDate(definition, streak, zone, new Date(instant))
  return [
    now.status,
    now.current_count,
    now.freezes_remaining,
    now.expires_at?.toISOString() ?? null,
    frozen.map((period) => periodKey(definition.period, period)),
  ]
}

describe("a streak as it is now [E2]", () => {
  const definitions = {
    plain: define({}),
    graced: define({ grace_period_hours: 6 }),
    frozen: define({ freeze_enabled: true, max_freezes: 2 }),
    weekly: define({ period: "weekly" }),
  }
  const { frozen } = definitions
  const none: ReadonlyArray<string> = []

  test.each<
    [rules: keyof typeof definitions, zone: string | null, last: string, at: string, shown: ReadonlyArray<unknown>]
  >([
    ["plain", null, "2026-03-01", "2026-03-01T12:00:00.000Z", ["active", 1, 0, "2026-03-03T00:00:00.000Z", none]],
    ["plain", null, "2026-03-01", "2026-03-02T23:59:59.999Z", ["active", 1, 0, "2026-03-03T00:00:00.000Z", none]],
    ["plain", null, "2026-03-01", "2026-03-03T00:00:00.000Z", ["broken", 0, 0, null, none]],
    ["plain", null, "2026-03-01", "2031-01-01T00:00:00.000Z", ["broken", 0, 0, null, none]],
    [
      "plain",
      "America/Chicago",
      "2026-03-01",
      "2026-03-03T05:59:59.999Z",
      ["active", 1, 0, "2026-03-03T06:00:00.000Z", none],
    ],
    ["plain", "America/Chicago", "2026-03-01", "2026-03-03T06:00:00.000Z", ["broken", 0, 0, null, none]],
    ["graced", null, "2026-03-01", "2026-03-03T05:59:59.999Z", ["active", 1, 0, "2026-03-03T06:00:00.000Z", none]],
    ["graced", null, "2026-03-01", "2026-03-03T06:00:00.000Z", ["broken", 0, 0, null, none]],
    ["frozen", null, "2026-03-01", "2026-03-02T23:59:59.999Z", ["active", 1, 2, "2026-03-03T00:00:00.000Z", none]],
    [
      "frozen",
      null,
      "2026-03-01",
      "2026-03-03T00:00:00.000Z",
      ["frozen", 1, 1, "2026-03-04T00:00:00.000Z", ["2026-03-02"]],
    ],
    [
      "frozen",
      null,
      "2026-03-01",
      "2026-03-04T23:59:59.999Z",
      ["frozen", 1, 0, "2026-03-05T00:00:00.000Z", ["2026-03-02", "2026-03-03"]],
    ],
    ["frozen", null, "2026-03-01", "2026-03-05T00:00:00.000Z", ["broken", 0, 0, null, ["2026-03-02", "2026-03-03"]]],
    ["weekly", null, "2026-02-23", "2026-03-08T23:59:59.999Z", ["active", 1, 0, "2026-03-09T00:00:00.000Z", none]],
    ["weekly", null, "2026-02-23", "2026-03-09T00:00:00.000Z", ["broken", 0, 0, null, none]],
    // The night in which the clocks go forward: the 29th is over an hour earlier.
    [
      "plain",
      "Europe/Berlin",
      "2026-03-28",
      "2026-03-29T21:59:59.999Z",
      ["active", 1, 0, "2026-03-29T22:00:00.000Z", none],
    ],
    ["plain", "Europe/Berlin", "2026-03-28", "2026-03-29T22:00:00.000Z", ["broken", 0, 0, null, none]],
    [
      "plain",
      "Europe/Berlin",
      "2026-10-24",
      "2026-10-25T22:59:59.999Z",
      ["active", 1, 0, "2026-10-25T23:00:00.000Z", none],
    ],
    ["plain", "Europe/Berlin", "2026-10-24", "2026-10-25T23:00:00.000Z", ["broken", 0, 0, null, none]],
  ])("%s in %s after %s, at %s", (rules, zone, last, at, shown) => {
    const definition = definitions[rules]
    expect(shownAt(definition, after(definition, zone, last), zone, at)).toEqual(shown)
  })

  it("changes exactly at the instant that expires_at said", () => {
    let streak = after(frozen, "Asia/Kathmandu", "2026-03-01", "2026-03-02")
    const seen = [streak.status]
    while (streak.expires_at !== null) {
      const deadline = streak.expires_at
      const justBefore = new Date(deadline.getTime() - 1)
      expect(bringUpToDate(frozen, streak, "Asia/Kathmandu", justBefore).streak).toBe(streak)
      streak = bringUpToDate(frozen, streak, "Asia/Kathmandu", deadline).streak
      seen.push(streak.status)
    }
    expect(seen).toEqual(["active", "frozen", "frozen", "broken"])
    expect(streak.longest_count).toBe(2)
  })

  it("is the same whether it was written in between or not", () => {
    const streak = after(frozen, null, "2026-03-01")
    const written = bringUpToDate(frozen, streak, null, new Date("2026-03-03T08:00:00.000Z")).streak
    const later = new Date("2026-03-04T08:00:00.000Z")
    expect(bringUpToDate(frozen, written, null, later).streak).toEqual(
      bringUpToDate(frozen, streak, null, later).streak,
    )
  })

  it("has no deadline before it has begun and after it has broken", () => {
    const begun = newUserStreak(frozen, "id", userId, writtenAt)
    expect(begun).toMatchObject({ status: "broken", current_count: 0, freezes_remaining: 2, expires_at: null })
    expect(bringUpToDate(frozen, begun, null, new Date("2030-01-01T00:00:00.000Z"))).toEqual({
      streak: begun,
      frozen: [],
    })
  })
})

describe("what is stored of a run", () => {
  it("can be read back as the same run", () => {
    for (const definition of [define({ freeze_enabled: true }), define({ period: "weekly" })]) {
      const streak = after(definition, null, "2026-02-23", "2026-03-02")
      expect(withRun(definition, streak, readRun(definition, streak), null, writtenAt)).toEqual(streak)
      const begun = newUserStreak(definition, "id", userId, writtenAt)
      expect(readRun(definition, begun)).toEqual(newRun(definition))
    }
  })

  it("names periods by their first day", () => {
    expect(after(define({ period: "weekly" }), null, "2026-03-05")).toMatchObject({
      last_period: "2026-03-02",
      settled_period: "2026-03-02",
      expires_at: new Date("2026-03-16T00:00:00.000Z"),
    })
    const definition = define({ period: "weekly" })
    const streak = { app_user_id: userId }
    expect(frozenPeriods(definition, streak, [periodIndex("weekly", "2026-03-05")], writtenAt)).toEqual([
      {
        app_user_id: userId,
        streak_definition_id: definition.id,
        period_key: "2026-03-02",
        kind: "freeze",
        occurred_at: writtenAt,
        count_after: null,
        freezes_after: null,
      },
    ])
  })
})
