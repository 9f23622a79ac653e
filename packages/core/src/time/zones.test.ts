import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import type { Signals } from "../ports/signals.ts"
import { dayKey, dayOfKey } from "./periods.ts"
import { signalUnknownZones } from "./unknown-zones.ts"
import { dayMillis, isTimeZone, localDay, startOfDay, wallMillis } from "./zones.ts"

const zoneNames = Intl.supportedValuesOf("timeZone")

describe("isTimeZone", () => {
  test.each([
    "UTC",
    "Europe/Berlin",
    "America/Argentina/Buenos_Aires",
    "America/Port-au-Prince",
    "Etc/GMT+5",
    "EST5EDT",
    "Asia/Calcutta",
    "europe/berlin",
    "GMT",
    "CET",
  ])("knows %s", (name) => expect(isTimeZone(name)).toBe(true))

  test.each([
    ["an offset", "+02:00"],
    ["an offset with a name", "UTC+2"],
    ["an offset in short", "-0500"],
    ["nothing", ""],
    ["a space", " "],
    ["no zone", "Mars/Olympus"],
    ["a city alone", "Berlin"],
    ["an abbreviation that only the runtime knows", "PST"],
    ["one that it reads as Dhaka", "BST"],
    ["one in lower case", "ist"],
    ["a zone of the runtime's own", "SystemV/EST5"],
    ["a padded name", " UTC"],
    ["a path", "../etc/passwd"],
    ["a NUL", "UTC\u0000"],
    ["a line break", "UTC\n"],
    ["a quote", "UTC'"],
    ["a letter that is a K in lower case", "Asia/To\u212ayo"],
    ["a very long name", `Europe/${"x".repeat(100)}`],
  ])("refuses %s", (_, name) => expect(isTimeZone(name)).toBe(false))
})

describe("a zone that is unknown", () => {
  test.each(["Mars/Olympus", "BST", "+02:00", "", "a".repeat(10_000), "UTC\u0000"])("is UTC: %#", (zone) => {
    const instant = new Date("2026-03-29T00:30:00.000Z")
    expect(wallMillis(instant, zone)).toBe(instant.getTime())
    expect(localDay(instant, zone)).toBe(localDay(instant, null))
    expect(startOfDay(dayOfKey("2026-03-29"), zone)).toEqual(startOfDay(dayOfKey("2026-03-29"), null))
  })

  it("is UTC for any text, and a known name means the same in any case", () => {
    const instant = new Date("2026-07-01T12:00:00.000Z")
    const isUtcOrKnown = (zone: string) => isTimeZone(zone) || wallMillis(instant, zone) === instant.getTime()
    fc.assert(fc.property(fc.string({ unit: "binary-ascii" }), isUtcOrKnown))
    expect(wallMillis(instant, "eUROPE/bERLIN")).toBe(wallMillis(instant, "Europe/Berlin"))
  })

  it("is signalled once, for at most 1,000 names", () => {
    const zones: Array<string> = []
    const signals: Signals = {
      emit: (signal) => {
        if (signal.name === "unknown_time_zone") zones.push(signal.zone)
      },
    }
    signalUnknownZones(signals)
    signalUnknownZones(signals)
    for (let turn = 0; turn < 3; turn += 1) for (let at = 0; at < 1_100; at += 1) wallMillis(new Date(0), `Moon/${at}`)
    expect(zones).toHaveLength(1_000)
    expect(new Set(zones).size).toBe(1_000)
  })
})

describe("wallMillis and localDay", () => {
  test.each([
    ["2026-03-01T23:59:59.999Z", null, "2026-03-01"],
    ["2026-03-01T23:59:59.999Z", "UTC", "2026-03-01"],
    ["2026-03-01T23:00:00.000Z", "Europe/Berlin", "2026-03-02"],
    ["2026-03-01T22:59:59.999Z", "Europe/Berlin", "2026-03-01"],
    ["2026-03-01T09:59:59.999Z", "Pacific/Kiritimati", "2026-03-01"],
    ["2026-03-01T10:00:00.000Z", "Pacific/Kiritimati", "2026-03-02"],
    ["2026-03-01T10:59:59.999Z", "Pacific/Pago_Pago", "2026-02-28"],
    ["2026-03-01T11:00:00.000Z", "Pacific/Pago_Pago", "2026-03-01"],
    ["2026-03-01T18:14:59.999Z", "Asia/Kathmandu", "2026-03-01"],
    ["2026-03-01T18:15:00.000Z", "Asia/Kathmandu", "2026-03-02"],
    ["1969-12-31T23:59:59.999Z", null, "1969-12-31"],
    ["1969-12-31T22:59:59.999Z", "Europe/Berlin", "1969-12-31"],
    ["1969-12-31T23:00:00.000Z", "Europe/Berlin", "1970-01-01"],
    // Before standard time, Berlin was 53 minutes and 28 seconds ahead.
    ["1890-05-04T23:06:31.999Z", "Europe/Berlin", "1890-05-04"],
    ["1890-05-04T23:06:32.000Z", "Europe/Berlin", "1890-05-05"],
    ["0001-01-01T00:00:00.000Z", "UTC", "0001-01-01"],
    ["0099-12-31T23:30:00.000Z", "Europe/Berlin", "0100-01-01"],
  ])("%s in %s is on %s", (instant, zone, day) => expect(dayKey(localDay(new Date(instant), zone))).toBe(day))

  it("counts days across the year 0 without a gap", () => {
    const before = new Date("-000001-12-31T12:00:00.000Z")
    const after = new Date("0001-01-01T12:00:00.000Z")
    expect(localDay(after, "Asia/Tokyo") - localDay(before, "Asia/Tokyo")).toBe(367)
    expect(wallMillis(before, "Etc/GMT-1") - before.getTime()).toBe(3_600_000)
  })
})

describe("startOfDay", () => {
  test.each([
    ["2026-03-01", null, "2026-03-01T00:00:00.000Z"],
    ["2026-03-01", "Europe/Berlin", "2026-02-28T23:00:00.000Z"],
    // Clocks that change in the small hours or in the evening do not move the midnights around them.
    ["2026-03-29", "Europe/Berlin", "2026-03-28T23:00:00.000Z"],
    ["2026-03-30", "Europe/Berlin", "2026-03-29T22:00:00.000Z"],
    ["2026-10-25", "Europe/Berlin", "2026-10-24T22:00:00.000Z"],
    ["2026-10-26", "Europe/Berlin", "2026-10-25T23:00:00.000Z"],
    ["2026-11-01", "America/New_York", "2026-11-01T04:00:00.000Z"],
    ["2026-11-02", "America/New_York", "2026-11-02T05:00:00.000Z"],
    // Half an hour: Lord Howe.
    ["2026-04-05", "Australia/Lord_Howe", "2026-04-04T13:00:00.000Z"],
    ["2026-04-06", "Australia/Lord_Howe", "2026-04-05T13:30:00.000Z"],
    ["2026-10-04", "Australia/Lord_Howe", "2026-10-03T13:30:00.000Z"],
    ["2026-10-05", "Australia/Lord_Howe", "2026-10-04T13:00:00.000Z"],
    // No midnight: the clocks go from 00:00 to 01:00, or from 23:30 to 00:30.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    ["2018-11-05", "America/Sao_Paulo", "2018-11-05T02:00:00.000Z"],
    ["1919-03-31", "America/Toronto", "1919-03-31T04:30:00.000Z"],
    // Two midnights: from 00:01 back to 23:01, so the day before lasts another 59 minutes.
    ["2007-11-04", "America/St_Johns", "2007-11-04T03:30:00.000Z"],
    // Two midnights: from 01:00 back to 00:00, so the day has already begun.
    ["2006-10-29", "America/Havana", "2006-10-29T04:00:00.000Z"],
    // From 24:00 back to 23:00: midnight is shown once.
    ["2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z"],
    // No such day: Samoa went from the 29th to the 31st.
    ["2011-12-29", "Pacific/Apia", "2011-12-29T10:00:00.000Z"],
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["2011-12-31", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["2012-01-01", "Pacific/Apia", "2011-12-31T10:00:00.000Z"],
    // The same day twice: Kwajalein went back from the 1st to the 30th.
    ["1969-10-01", "Pacific/Kwajalein", "1969-10-01T12:00:00.000Z"],
    ["2026-03-01", "Pacific/Kiritimati", "2026-02-28T10:00:00.000Z"],
    ["1890-05-05", "Europe/Berlin", "1890-05-04T23:06:32.000Z"],
  ])("%s in %s begins at %s", (day, zone, instant) =>
    expect(startOfDay(dayOfKey(day), zone).toISOString()).toBe(instant),
  )

  const expectStart = (day: number, zone: string) => {
    const start = startOfDay(day, zone).getTime()
    expect(localDay(new Date(start), zone)).toBeGreaterThanOrEqual(day)
    expect(localDay(new Date(start - 1), zone)).toBeLessThan(day)
  }

  it("is the first instant of the day, and the millisecond before is of an earlier one, in any zone", () => {
    const zone = fc.constantFrom(...zoneNames)
    const day = fc.integer({ min: dayOfKey("1900-01-01"), max: dayOfKey("2037-12-31") })
    fc.assert(
      fc.property(zone, day, (name, at) => expectStart(at, name)),
      { numRuns: 2_000 },
    )
  })

  // Random days hardly ever hit a change of clocks.
  it.each(["Pacific/Apia", "America/Sao_Paulo", "America/St_Johns", "Australia/Lord_Howe", "Africa/Casablanca"])(
    "is so around every change of clocks of %s since 1970",
    (zone) => {
      const offsetOn = (day: number) => wallMillis(new Date(day * dayMillis), zone) - day * dayMillis
      for (let day = 0; day < dayOfKey("2030-01-01"); day += 3) {
        if (offsetOn(day) !== offsetOn(day + 3))
          for (let near = day - 2; near <= day + 5; near += 1) expectStart(near, zone)
      }
    },
  )

  it("never goes back from one day to the next", () => {
    const days = fc.integer({ min: dayOfKey("1960-01-01"), max: dayOfKey("2030-01-01") })
    const inOrder = (zone: string, day: number) => startOfDay(day + 1, zone) >= startOfDay(day, zone)
    fc.assert(fc.property(fc.constantFrom(...zoneNames), days, inOrder), { numRuns: 500 })
  })
})
