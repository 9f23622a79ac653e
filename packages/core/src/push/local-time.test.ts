import { describe, expect, test } from "vitest"
import { findFirstInstant, findLocalInstant, findZoneTimes, isTooLate, nameZone } from "./local-time.ts"

describe("the instant of a local time [E9]", () => {
  test.each([
    ["2026-06-01", "09:00:00", null, "2026-06-01T09:00:00.000Z"],
    ["2026-06-01", "09:00:00", "UTC", "2026-06-01T09:00:00.000Z"],
    ["2026-06-01", "09:00:30", "Europe/Berlin", "2026-06-01T07:00:30.000Z"],
    ["2026-12-01", "09:00:00", "Europe/Berlin", "2026-12-01T08:00:00.000Z"],
    ["2026-06-01", "00:00:00", "Pacific/Kiritimati", "2026-05-31T10:00:00.000Z"],
    ["2026-06-01", "23:59:59", "Pacific/Pago_Pago", "2026-06-02T10:59:59.000Z"],
    ["2026-06-01", "09:00:00", "Asia/Kathmandu", "2026-06-01T03:15:00.000Z"],
    ["2026-06-01", "09:00:00", "Mars/Base", "2026-06-01T09:00:00.000Z"],
  ])("%s %s in %s", (date, time, zone, instant) => {
    expect(findLocalInstant(date, time, zone).toISOString()).toBe(instant)
  })

  test.each([
    ["Berlin in spring", "2026-03-29", "02:30:00", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    ["its first second", "2026-03-29", "02:00:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
    ["just before it", "2026-03-29", "01:59:59", "Europe/Berlin", "2026-03-29T00:59:59.000Z"],
    ["just after it", "2026-03-29", "03:00:00", "Europe/Berlin", "2026-03-29T01:00:00.000Z"],
    ["New York in spring", "2026-03-08", "02:15:00", "America/New_York", "2026-03-08T07:15:00.000Z"],
    ["half an hour on Lord Howe", "2026-10-04", "02:10:00", "Australia/Lord_Howe", "2026-10-03T15:40:00.000Z"],
    ["midnight in Santiago", "2026-09-06", "00:30:00", "America/Santiago", "2026-09-06T04:30:00.000Z"],
    ["a whole day in Samoa", "2011-12-30", "12:00:00", "Pacific/Apia", "2011-12-30T22:00:00.000Z"],
  ])("a gap moves it forward by the gap: %s", (_, date, time, zone, instant) => {
    expect(findLocalInstant(date, time, zone).toISOString()).toBe(instant)
  })

  test.each([
    ["Berlin in autumn", "2026-10-25", "02:30:00", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    ["its first second", "2026-10-25", "02:00:00", "Europe/Berlin", "2026-10-25T00:00:00.000Z"],
    ["just after it", "2026-10-25", "03:00:00", "Europe/Berlin", "2026-10-25T02:00:00.000Z"],
    ["New York in autumn", "2026-11-01", "01:30:00", "America/New_York", "2026-11-01T05:30:00.000Z"],
    ["before midnight in Santiago", "2026-04-04", "23:30:00", "America/Santiago", "2026-04-05T02:30:00.000Z"],
  ])("of an hour that is shown twice it is the first: %s", (_, date, time, zone, instant) => {
    expect(findLocalInstant(date, time, zone).toISOString()).toBe(instant)
  })

  test("is one for each zone as it is given", () => {
    const times = findZoneTimes({ local_date: "2026-06-01", local_time: "09:00:00" }, [null, "Asia/Tokyo"])
    expect([...times]).toEqual([
      [null, new Date("2026-06-01T09:00:00Z")],
      ["Asia/Tokyo", new Date("2026-06-01T00:00:00Z")],
    ])
  })

  test("is too late by more than two hours", () => {
    const at = new Date("2026-06-01T09:00:00Z")
    expect(isTooLate(at, new Date("2026-06-01T11:00:00.000Z"))).toBe(false)
    expect(isTooLate(at, new Date("2026-06-01T11:00:00.001Z"))).toBe(true)
    expect(isTooLate(at, new Date("2026-06-01T08:00:00Z"))).toBe(false)
  })

  test("is grouped under the name of its zone", () => {
    expect([null, "UTC", "Europe/Berlin", "Mars/Base"].map(nameZone)).toEqual(["UTC", "UTC", "Europe/Berlin", "UTC"])
  })
})

describe("the first instant of a campaign in local time [H4.6]", () => {
  const first = (zones: ReadonlyArray<string | null>, now: string) =>
    findFirstInstant({ local_date: "2026-06-01", local_time: "09:00:00" }, zones, new Date(now))?.toISOString() ?? null

  test.each([
    [["America/New_York", "Asia/Tokyo", null], "2026-05-31T00:00:00Z", "2026-06-01T00:00:00.000Z"],
    [["America/New_York", "Asia/Tokyo", null], "2026-06-01T00:00:00Z", "2026-06-01T00:00:00.000Z"],
    [["America/New_York", "Asia/Tokyo", null], "2026-06-01T02:00:00Z", "2026-06-01T00:00:00.000Z"],
    [["America/New_York", "Asia/Tokyo", null], "2026-06-01T02:00:01Z", "2026-06-01T09:00:00.000Z"],
    [["America/New_York", "Asia/Tokyo"], "2026-06-01T10:00:00Z", "2026-06-01T13:00:00.000Z"],
    [["America/New_York", "Asia/Tokyo", null], "2026-06-01T13:00:00Z", null],
    [[null], "2026-06-01T09:00:00Z", null],
    [[], "2026-06-01T08:59:59Z", "2026-06-01T09:00:00.000Z"],
    [[], "2026-06-01T09:00:00Z", null],
  ])("of %j at %s", (zones, now, expected) => {
    expect(first(zones, now)).toBe(expected)
  })
})
