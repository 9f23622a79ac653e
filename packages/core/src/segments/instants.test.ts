import { describe, expect, it, test } from "vitest"
import { readDuration, readTimestamp, timestampPattern } from "./instants.ts"

describe("a timestamp", () => {
  test.each([
    ["2026-03-01", "2026-03-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
    ["2000-02-29", "2000-02-29T00:00:00.000Z"],
    ["0002-01-01", "0002-01-01T00:00:00.000Z"],
    ["2026-12-31T23:59:59Z", "2026-12-31T23:59:59.000Z"],
    ["2026-03-01T12:00Z", "2026-03-01T12:00:00.000Z"],
    ["2026-03-01T12:00:00.5Z", "2026-03-01T12:00:00.500Z"],
    ["2026-03-01T12:00:00.12Z", "2026-03-01T12:00:00.120Z"],
    ["2026-03-01T12:00:00.999999999Z", "2026-03-01T12:00:00.999Z"],
    ["2026-03-01T00:30:00+14:59", "2026-02-28T09:31:00.000Z"],
    ["2026-03-01T12:00:00.1239-00:30", "2026-03-01T12:30:00.123Z"],
    ["9999-12-31T23:59:59-14:59", "+010000-01-01T14:58:59.000Z"],
  ])("is %s", (text, instant) => expect(readTimestamp(text)?.toISOString()).toBe(instant))

  test.each([
    "",
    "2026",
    "2026-03",
    "2026-3-1",
    "2026-00-01",
    "2026-13-01",
    "2026-01-00",
    "2026-01-32",
    "2026-04-31",
    "2026-02-29",
    "1900-02-29",
    "0000-01-01",
    "0001-12-31",
    "12026-03-01",
    "+002026-03-01",
    "2026-03-01T",
    "2026-03-01T12Z",
    "2026-03-01T12:00",
    "2026-03-01T12:00:00",
    "2026-03-01T24:00:00Z",
    "2026-03-01T12:60:00Z",
    "2026-03-01T12:00:60Z",
    "2026-03-01T12:00:00.Z",
    "2026-03-01T12:00:00,5Z",
    "2026-03-01T12:00:00.1234567890Z",
    "2026-03-01T12:00:00+15:00",
    "2026-03-01T12:00:00+0100",
    "2026-03-01T12:00:00+01",
    "2026-03-01t12:00:00z",
    "2026-03-01 12:00:00Z",
    " 2026-03-01",
    "2026-03-01\n",
    "２０２６-03-01",
  ])("is not %j", (text) => expect(readTimestamp(text)).toBeNull())

  it("accepts every day that exists, and no other", () => {
    const pattern = new RegExp(timestampPattern)
    for (const year of ["0004", "1900", "2000", "2023", "2024", "2100", "2400", "9996", "9999"]) {
      for (let month = 1; month <= 12; month += 1) {
        for (let day = 0; day <= 32; day += 1) {
          const [mm, dd] = [month, day].map((number) => `${number}`.padStart(2, "0"))
          const midnight = new Date(`${year}-${mm}-01T00:00:00Z`)
          const days = new Date(Date.UTC(2000, month, 0)).getUTCDate()
          midnight.setUTCDate(day)
          const exists = day > 0 && day <= days && midnight.getUTCMonth() === month - 1
          expect(pattern.test(`${year}-${mm}-${dd}`), `${year}-${mm}-${dd}`).toBe(exists)
        }
      }
    }
  })
})

describe("a time that rules look back", () => {
  test.each([
    ["1m", 60_000],
    ["24h", 86_400_000],
    ["7d", 604_800_000],
    ["36500d", 3_153_600_000_000],
    ["876000h", 3_153_600_000_000],
    ["9999999m", 599_999_940_000],
  ])("is %s", (text, millis) => expect(readDuration(text)).toBe(millis))

  test.each(["", "d", "0d", "07d", "7", "7 d", "7D", "7s", "36501d", "876001h", "10000000m"])("is not %j", (text) =>
    expect(readDuration(text)).toBeNull(),
  )
})
