import { Effect, Exit } from "effect"
import { describe, expect, it } from "vitest"
import { findDays, findDaysUpTo, findWeeks, utcDay } from "./days.ts"
import { type RangeQuery, readRange } from "./range.ts"

const at = (instant: string) => new Date(`${instant}Z`)

describe("the days of a range", () => {
  it("are in UTC", () => {
    expect(utcDay(new Date("2026-03-01T23:30:00-05:00"))).toBe("2026-03-02")
  })

  it.each([
    ["2026-03-01T00:00:00.000", "2026-03-02T00:00:00.000", { first: "2026-03-01", last: "2026-03-01" }],
    ["2026-03-01T00:00:00.000", "2026-03-02T00:00:00.001", { first: "2026-03-01", last: "2026-03-02" }],
    ["2026-03-01T23:59:59.999", "2026-03-02T00:00:00.000", { first: "2026-03-01", last: "2026-03-01" }],
    ["2026-02-28T12:00:00.000", "2026-03-01T12:00:00.000", { first: "2026-02-28", last: "2026-03-01" }],
    ["2026-03-01T12:00:00.000", "2026-03-01T12:00:00.000", null],
    ["2026-03-01T00:00:00.000", "2026-03-01T00:00:00.000", null],
  ])("from %s until %s [A12, H5.3]", (since, until, days) => {
    expect(findDays({ since: at(since), until: at(until) })).toEqual(days)
  })

  it.each([
    ["2026-03-31T12:00:00.000", 7, { first: "2026-03-25", last: "2026-03-31" }],
    ["2026-04-01T00:00:00.000", 7, { first: "2026-03-25", last: "2026-03-31" }],
    ["2026-04-01T00:00:00.001", 7, { first: "2026-03-26", last: "2026-04-01" }],
    ["2026-03-31T12:00:00.000", 30, { first: "2026-03-02", last: "2026-03-31" }],
  ])("up to %s, %i of them [H5.3]", (until, count, days) => {
    expect(findDaysUpTo(at(until), count)).toEqual(days)
  })
})

describe("ISO weeks up to now", () => {
  it.each([
    ["a Wednesday", "2026-03-04T12:00:00.000", ["2026-02-23", "2026-03-02"]],
    ["the last instant of a Sunday", "2026-03-01T23:59:59.999", ["2026-02-16", "2026-02-23"]],
    ["the first instant of a Monday", "2026-03-02T00:00:00.000", ["2026-02-23", "2026-03-02"]],
    ["the turn of a year", "2026-01-01T00:00:00.000", ["2025-12-22", "2025-12-29"]],
  ])("on %s [H5.3]", (_, now, weeks) => {
    expect(findWeeks(at(now), 2)).toEqual(weeks)
  })
})

describe("the range of a call", () => {
  const now = at("2026-03-31T12:00:00.000")
  const read = (query: RangeQuery) => {
    const exit = Effect.runSyncExit(readRange(query, now))
    return Exit.isSuccess(exit) ? exit.value : exit.cause.reasons.map((reason) => "error" in reason && reason.error)[0]
  }
  const daysAgo = (days: number, millis = 0) => new Date(now.getTime() - days * 86_400_000 + millis)

  it.each([
    ["is the last 30 days by default [H5.2]", {}, { since: daysAgo(30), until: now }],
    ["ends now by default", { since: daysAgo(3) }, { since: daysAgo(3), until: now }],
    ["has 30 days before its end", { until: daysAgo(10) }, { since: daysAgo(40), until: daysAgo(10) }],
    ["may be empty", { since: now, until: now }, { since: now, until: now }],
    ["may have 366 days", { since: daysAgo(366) }, { since: daysAgo(366), until: now }],
    ["may have been asked for a moment ago", { since: daysAgo(366, -900) }, { since: daysAgo(366, -900), until: now }],
  ])("%s", (_, query, range) => {
    expect(read(query)).toEqual(range)
  })

  it("that is refused is told why", () => {
    expect(read({ since: daysAgo(-1) })).toMatchObject({ message: "since is in the future, and until was not given." })
    expect(read({ since: daysAgo(1), until: daysAgo(2) })).toMatchObject({ message: "until is before since." })
  })

  it.each([
    ["longer than 366 days [H5.2]", { since: daysAgo(366, -1), until: now }, "RANGE_TOO_LARGE"],
    ["longer than 366 days until now", { since: daysAgo(366, -60_001) }, "RANGE_TOO_LARGE"],
    ["that begins after now", { since: daysAgo(-1) }, "INVALID_SINCE"],
    ["that ends before it begins", { since: daysAgo(1), until: daysAgo(1, -1) }, "INVALID_UNTIL"],
  ])("is refused where it is one %s", (_, query, code) => {
    expect(read(query)).toMatchObject({ code })
  })

  it("says how long it may be, and how long it is", () => {
    expect(read({ since: daysAgo(400, -1), until: now })).toMatchObject({
      details: { max_days: 366, requested_days: 401 },
    })
  })
})
