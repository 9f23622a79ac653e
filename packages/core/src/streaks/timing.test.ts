import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { type Period, periodAt, periodIndex, periodKey } from "../time/periods.ts"
import { localDay } from "../time/zones.ts"
import { advance, newRun, type Run, type RunRules } from "./run/run.ts"
import { deadlineOf, firstOpenPeriod, placeEvent, type TimingRules } from "./timing.ts"

const every = (period: Period, grace_period_hours = 0): TimingRules => ({ period, grace_period_hours })
const iso = (instant: Date) => instant.toISOString().replace(/:00\.000Z$/, "Z")

describe("the deadline of a period [E2]", () => {
  test.each<[rules: TimingRules, period: string, zone: string | null, deadline: string]>([
    [every("daily"), "2026-03-01", null, "2026-03-02T00:00Z"],
    [every("daily", 6), "2026-03-01", null, "2026-03-02T06:00Z"],
    [every("daily", 0.5), "2026-03-01", null, "2026-03-02T00:30Z"],
    [every("daily", 48), "2026-03-01", null, "2026-03-04T00:00Z"],
    [every("daily"), "2026-03-01", "America/Chicago", "2026-03-02T06:00Z"],
    [every("daily"), "2026-03-01", "Pacific/Kiritimati", "2026-03-01T10:00Z"],
    [every("weekly"), "2026-02-23", null, "2026-03-02T00:00Z"],
    [every("weekly", 12), "2026-02-23", "Asia/Tokyo", "2026-03-02T03:00Z"],
    // Grace is time that passes, also while the clocks change: two hours after midnight it is 3 o'clock.
    [every("daily", 2), "2026-03-28", "Europe/Berlin", "2026-03-29T01:00Z"],
    // A day of 23 hours, one of 25, and one that begins at 1 o'clock.
    [every("daily"), "2026-03-29", "Europe/Berlin", "2026-03-29T22:00Z"],
    [every("daily"), "2026-10-25", "Europe/Berlin", "2026-10-25T23:00Z"],
    [every("daily"), "2018-11-03", "America/Sao_Paulo", "2018-11-04T03:00Z"],
  ])("%o: %s in %s is missed at %s", (rules, period, zone, deadline) =>
    expect(iso(deadlineOf(rules, periodIndex(rules.period, period), zone))).toBe(deadline),
  )
})

describe("the first open period", () => {
  test.each<[rules: TimingRules, instant: string, zone: string | null, period: string]>([
    [every("daily"), "2026-03-02T00:00:00.000Z", null, "2026-03-02"],
    [every("daily", 6), "2026-03-02T05:59:59.999Z", null, "2026-03-01"],
    [every("daily", 6), "2026-03-02T06:00:00.000Z", null, "2026-03-02"],
    [every("daily", 24), "2026-03-02T23:59:59.999Z", null, "2026-03-01"],
    [every("daily", 48), "2026-03-03T23:59:59.999Z", null, "2026-03-01"],
    [every("daily", 6), "2026-03-02T11:59:59.999Z", "America/Chicago", "2026-03-01"],
    [every("daily", 6), "2026-03-02T12:00:00.000Z", "America/Chicago", "2026-03-02"],
    [every("weekly"), "2026-03-01T23:59:59.999Z", null, "2026-02-23"],
    [every("weekly", 24), "2026-03-02T23:59:59.999Z", null, "2026-02-23"],
    [every("weekly", 24), "2026-03-03T00:00:00.000Z", null, "2026-03-02"],
    [every("daily", 8760), "2026-03-02T00:00:00.000Z", null, "2025-03-02"],
    // From 00:01 back to 23:01: the 4th has been shown for a minute, but the 3rd is not over.
    [every("daily"), "2007-11-04T02:30:30.000Z", "America/St_Johns", "2007-11-03"],
    [every("daily", 1), "2007-11-04T04:29:59.999Z", "America/St_Johns", "2007-11-03"],
    [every("daily", 1), "2007-11-04T04:30:00.000Z", "America/St_Johns", "2007-11-04"],
  ])("%o: at %s in %s it is %s", (rules, instant, zone, period) =>
    expect(periodKey(rules.period, firstOpenPeriod(rules, new Date(instant), zone))).toBe(period),
  )

  it("is the one whose deadline comes next", () => {
    const rules = fc.record({
      period: fc.constantFrom("daily" as const, "weekly" as const),
      grace_period_hours: fc.oneof(fc.constantFrom(0, 1, 6, 24, 36), fc.double({ min: 0, max: 400, noNaN: true })),
    })
    const zones = fc.constantFrom(null, ...Intl.supportedValuesOf("timeZone"))
    const instants = fc.date({ min: new Date("1990-01-01"), max: new Date("2036-01-01"), noInvalidDate: true })
    fc.assert(
      fc.property(rules, zones, instants, (rule, zone, instant) => {
        const open = firstOpenPeriod(rule, instant, zone)
        expect(deadlineOf(rule, open, zone).getTime()).toBeGreaterThan(instant.getTime())
        expect(deadlineOf(rule, open - 1, zone).getTime()).toBeLessThanOrEqual(instant.getTime())
        expect(open).toBeLessThanOrEqual(periodAt(rule.period, instant, zone))
      }),
      { numRuns: 500 },
    )
  })
})

describe("where an event counts", () => {
  const none = { freeze_enabled: false, max_freezes: 0, freezes_per_n_events: null }
  const freezes = (max_freezes: number) => ({ freeze_enabled: true, max_freezes, freezes_per_n_events: null })
  const place = (rules: TimingRules & RunRules, run: Run, occurred_at: Date, zone: string | null) =>
    placeEvent(rules, { run, waiting: [] }, { occurred_at, day: localDay(occurred_at, zone), zone })
  const after = (rules: TimingRules & RunRules, ...done: ReadonlyArray<string>): Run =>
    done.reduce((run, key) => advance(rules, run, periodIndex(rules.period, key)).run, newRun(rules))

  test.each<[sentence: string, rules: TimingRules & RunRules, done: ReadonlyArray<string>, at: string, period: string]>(
    [
      [
        "without grace, for its own day",
        { ...every("daily"), ...none },
        ["2026-03-01"],
        "2026-03-03T01:00Z",
        "2026-03-03",
      ],
      ["the first of all, for its own", { ...every("daily", 6), ...none }, [], "2026-03-03T01:00Z", "2026-03-03"],
      [
        "in grace, for the day missed",
        { ...every("daily", 6), ...none },
        ["2026-03-01"],
        "2026-03-03T01:00Z",
        "2026-03-02",
      ],
      [
        "after grace, for its own",
        { ...every("daily", 6), ...none },
        ["2026-03-01"],
        "2026-03-03T06:00Z",
        "2026-03-03",
      ],
      [
        "in grace of a day that was done, for its own",
        { ...every("daily", 6), ...none },
        ["2026-03-02"],
        "2026-03-03T01:00Z",
        "2026-03-03",
      ],
      [
        "in grace, when its own was done before, for its own again",
        { ...every("daily", 6), ...none },
        ["2026-03-01", "2026-03-03"],
        "2026-03-03T01:00Z",
        "2026-03-03",
      ],
      [
        "in grace of a run that is dead already, for its own",
        { ...every("daily", 6), ...none },
        ["2026-02-27"],
        "2026-03-03T01:00Z",
        "2026-03-03",
      ],
      [
        "in grace of two days, for the earlier",
        { ...every("daily", 48), ...none },
        ["2026-02-28"],
        "2026-03-03T01:00Z",
        "2026-03-01",
      ],
      [
        "in grace of two days of which the earlier was done, for the later",
        { ...every("daily", 48), ...none },
        ["2026-03-01"],
        "2026-03-03T01:00Z",
        "2026-03-02",
      ],
      [
        "in grace behind a missed day that a freeze covers, for the day in grace",
        { ...every("daily", 6), ...freezes(1) },
        ["2026-02-28"],
        "2026-03-03T01:00Z",
        "2026-03-02",
      ],
      [
        "in grace behind more missed days than there are freezes, for its own",
        { ...every("daily", 6), ...freezes(1) },
        ["2026-02-27"],
        "2026-03-03T01:00Z",
        "2026-03-03",
      ],
      [
        "in grace, although a freeze could cover the day too",
        { ...every("daily", 6), ...freezes(1) },
        ["2026-03-01"],
        "2026-03-03T01:00Z",
        "2026-03-02",
      ],
      [
        "weekly in grace, for the week missed",
        { ...every("weekly", 24), ...none },
        ["2026-02-16"],
        "2026-03-02T12:00Z",
        "2026-02-23",
      ],
      [
        "weekly after grace, for its own",
        { ...every("weekly", 24), ...none },
        ["2026-02-16"],
        "2026-03-03T00:00Z",
        "2026-03-02",
      ],
      [
        "earlier than the last day done, for its own",
        { ...every("daily", 6), ...none },
        ["2026-03-05"],
        "2026-03-03T12:00Z",
        "2026-03-03",
      ],
    ],
  )("%s", (_, rules, done, at, period) => {
    const placed = place(rules, after(rules, ...done), new Date(at), null)
    expect(periodKey(rules.period, placed)).toBe(period)
  })

  it("goes by the grace of the user's zone", () => {
    const rules = { ...every("daily", 6), ...none }
    const run = after(rules, "2026-03-01")
    const placed = (at: string) => periodKey("daily", place(rules, run, new Date(at), "America/Chicago"))
    expect(placed("2026-03-03T11:59:59.999Z")).toBe("2026-03-02")
    expect(placed("2026-03-03T12:00:00.000Z")).toBe("2026-03-03")
  })

  it("counts once: the next event in the same grace counts for the next day", () => {
    const rules = { ...every("daily", 6), ...none }
    const run = after(rules, "2026-03-01")
    const at = new Date("2026-03-03T01:00Z")
    const first = place(rules, run, at, null)
    const second = place(rules, advance(rules, run, first).run, at, null)
    expect([first, second].map((period) => periodKey("daily", period))).toEqual(["2026-03-02", "2026-03-03"])
  })

  it("does not depend on what is settled already", () => {
    const rules = { ...every("daily", 6), ...freezes(2) }
    const run = after(rules, "2026-02-28")
    const at = new Date("2026-03-03T01:00Z")
    const written = { ...run, freezes: 1, settled: periodIndex("daily", "2026-03-01") }
    expect(place(rules, written, at, null)).toBe(place(rules, run, at, null))
  })
})
