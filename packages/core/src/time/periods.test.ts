import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { dayKey, dayOfKey, endOfPeriod, firstDayOf, periodAt, periodIndex, periodKey } from "./periods.ts"

const anyDay = fc.integer({ min: dayOfKey("0002-01-01"), max: dayOfKey("9998-12-31") })
const anyPeriod = fc.constantFrom("daily" as const, "weekly" as const)

describe("days and weeks", () => {
  // ISO weeks begin on Monday; the turn of the year is inside of one, unless it is a Monday itself.
  test.each([
    ["2026-01-01", "2025-12-29"],
    ["2025-12-29", "2025-12-29"],
    ["2025-12-28", "2025-12-22"],
    ["2026-01-04", "2025-12-29"],
    ["2026-01-05", "2026-01-05"],
    ["2024-12-31", "2024-12-30"],
    ["2024-02-29", "2024-02-26"],
    ["2018-01-01", "2018-01-01"],
    ["2020-12-31", "2020-12-28"],
    ["1970-01-01", "1969-12-29"],
    ["1969-12-28", "1969-12-22"],
    ["1900-01-01", "1900-01-01"],
    ["1899-12-31", "1899-12-25"],
    ["0002-01-01", "0001-12-31"],
  ])("the week of %s begins on %s", (day, monday) =>
    expect(periodKey("weekly", periodIndex("weekly", day))).toBe(monday),
  )

  it("counts days from 1970-01-01", () => {
    expect(dayOfKey("1970-01-01")).toBe(0)
    expect(dayOfKey("1969-12-31")).toBe(-1)
    expect(dayKey(dayOfKey("2024-02-29") + 1)).toBe("2024-03-01")
  })

  it("gives consecutive numbers to consecutive periods, and every day to exactly one", () => {
    fc.assert(
      fc.property(anyPeriod, anyDay, (period, day) => {
        const index = periodIndex(period, dayKey(day))
        expect(firstDayOf(period, index)).toBeLessThanOrEqual(day)
        expect(firstDayOf(period, index + 1)).toBeGreaterThan(day)
        expect(firstDayOf(period, index + 1) - firstDayOf(period, index)).toBe(period === "daily" ? 1 : 7)
        if (period === "weekly") expect(new Date(periodKey(period, index)).getUTCDay()).toBe(1)
      }),
    )
  })

  it("has names that lead back to the number", () => {
    fc.assert(
      fc.property(anyPeriod, anyDay, (period, day) => {
        const index = periodIndex(period, dayKey(day))
        expect(periodIndex(period, periodKey(period, index))).toBe(index)
      }),
    )
  })
})

describe("periods in a zone", () => {
  const monday = periodIndex("weekly", "2026-03-02")
  test.each([
    // Sunday evening in Chicago is Monday in UTC.
    ["2026-03-02T05:59:59.999Z", "America/Chicago", monday - 1],
    ["2026-03-02T06:00:00.000Z", "America/Chicago", monday],
    ["2026-03-01T23:59:59.999Z", null, monday - 1],
    ["2026-03-02T00:00:00.000Z", null, monday],
  ])("%s in %s is in week %i", (instant, zone, week) => expect(periodAt("weekly", new Date(instant), zone)).toBe(week))

  test.each([
    ["daily", "2026-03-29", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
    ["daily", "2026-10-25", "Europe/Berlin", "2026-10-25T23:00:00.000Z"],
    ["weekly", "2026-03-23", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
    ["weekly", "2026-10-19", "Europe/Berlin", "2026-10-25T23:00:00.000Z"],
    ["daily", "2011-12-29", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    // The day that Samoa skipped is over as soon as it begins.
    ["daily", "2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["daily", "2026-12-31", null, "2027-01-01T00:00:00.000Z"],
  ] as const)("the %s period of %s in %s ends at %s", (period, key, zone, end) =>
    expect(endOfPeriod(period, periodIndex(period, key), zone).toISOString()).toBe(end),
  )

  it("ends when the next one begins", () => {
    const zones = fc.constantFrom(null, ...Intl.supportedValuesOf("timeZone"))
    const instants = fc.date({ min: new Date("1960-01-01"), max: new Date("2036-01-01"), noInvalidDate: true })
    fc.assert(
      fc.property(anyPeriod, zones, instants, (period, zone, instant) => {
        const end = endOfPeriod(period, periodAt(period, instant, zone), zone)
        expect(end.getTime()).toBeGreaterThan(instant.getTime())
        expect(periodAt(period, end, zone)).toBeGreaterThan(periodAt(period, instant, zone))
      }),
      { numRuns: 500 },
    )
  })
})
