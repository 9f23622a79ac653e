import { describe, expect, it, test } from "vitest"
import { readCustomEvent } from "./custom-event.ts"
import { centreOffset, rankStandings } from "./rank.ts"
import { findWindow, readWindow } from "./windows.ts"

describe("windows are in UTC, half-open, weeks from Monday [G3.3]", () => {
  test.each([
    ["daily", "2026-03-01T00:00:00.000Z", "2026-03-01", "2026-03-02"],
    ["daily", "2026-02-28T23:59:59.999Z", "2026-02-28", "2026-03-01"],
    // 1 March 2026 is a Sunday.
    ["weekly", "2026-03-01T23:59:59.999Z", "2026-02-23", "2026-03-02"],
    ["weekly", "2026-03-02T00:00:00.000Z", "2026-03-02", "2026-03-09"],
    ["monthly", "2024-02-29T12:00:00.000Z", "2024-02-01", "2024-03-01"],
    ["monthly", "2026-12-31T23:59:59.999Z", "2026-12-01", "2027-01-01"],
    ["monthly", "0099-05-05T00:00:00.000Z", "0099-05-01", "0099-06-01"],
    ["weekly", "0002-01-01T00:00:00.000Z", "0001-12-31", "0002-01-07"],
  ] as const)("%s at %s is from %s until %s", (period, at, start, end) => {
    expect(findWindow(period, new Date(at))).toBe(start)
    expect(readWindow(period, new Date(at))).toEqual({
      start: new Date(`${start}T00:00:00Z`),
      end: new Date(`${end}T00:00:00Z`),
    })
  })

  it("and one without an end is all time", () => {
    expect([findWindow("all_time", new Date(0)), readWindow("all_time", new Date(0))]).toEqual(["0001-01-01", null])
  })
})

describe("a custom event [G3.1]", () => {
  test.each([
    ["lesson", "lesson", null],
    ["lesson:points", "lesson", "points"],
    ["lesson:completed:", "lesson:completed", null],
    ["lesson:completed:points", "lesson:completed", "points"],
    ["lesson::", "lesson:", null],
  ])("%s is the event %s and the property %s", (text, event_name, property) => {
    expect(readCustomEvent(text)).toEqual({ event_name, property })
  })
  test.each([":", ":points", `${"a".repeat(256)}:points`, "a".repeat(256)])("%j names no event", (text) => {
    expect(readCustomEvent(text)).toBeNull()
  })
})

test("ranks are shared in ties, and null when greater than the last [E4, G3.5]", () => {
  const standings = [9n, 5n, 5n, 4n, 4n, 1n].map((units, at) => ({
    app_user_id: String(at),
    units,
    reached_at: new Date(0),
  }))
  expect(rankStandings(standings, 100)).toEqual([1, 2, 2, 4, 4, 6])
  expect(rankStandings(standings, 4)).toEqual([1, 2, 2, 4, 4, null])
  expect(rankStandings(standings, 3)).toEqual([1, 2, 2, null, null, null])
  expect(rankStandings([], 3)).toEqual([])
})

test("a page around an entry is shifted at the ends, not cut [G3.5]", () => {
  expect([0, 1, 2, 5, 8, 9].map((position) => centreOffset(position, 4, 10))).toEqual([0, 0, 0, 3, 6, 6])
  expect(centreOffset(2, 50, 3)).toBe(0)
})
