import fc from "fast-check"
import { describe, expect, it, test } from "vitest"
import { findLastTick, isCron, listNextTicks, nextTick, type Recurrence } from "./cron.ts"
import { wallMillis } from "./zones.ts"

const minuteMillis = 60_000

const listTicks = (recurrence: Recurrence, after: string, count: number): ReadonlyArray<string> => {
  const ticks: Array<string> = []
  for (const tick of listNextTicks(recurrence, new Date(after))) {
    if (ticks.length === count) break
    ticks.push(tick.toISOString().replace(":00.000Z", "Z"))
  }
  return ticks
}

describe("a cron expression", () => {
  test.each([
    ...["* * * * *", "*/5 * * * *", "0 9 * * MON", "0 9 * * mon-fri", "0 0 1 1 *", "0,30 8-18/2 * jan,JUL 1-5"],
    ...["59 23 31 12 7", "0 0 29 2 *", " 0  9 * * 1 ", "0 0 31 */2 *", "5/10 * * * *", "0 0 30 2 1"],
  ])("may be %j [I1.5]", (cron) => {
    expect(isCron(cron)).toBe(true)
  })

  test.each([
    ...["", "*", "* * * *", "0 * * * * *", "* * * * * * *", "@daily", "every day", "60 * * * *", "* 24 * * *"],
    ...["* * 0 * *", "* * 32 * *", "* * * 0 *", "* * * 13 *", "* * * * 8", "-1 * * * *", "1.5 * * * *", "*/0 * * * *"],
    ...["5-1 * * * *", "1,,2 * * * *", "0 0 L * *", "0 0 ? * *", "0 0 * * 1#2", "0x1 * * * *", "1e1 * * * *"],
    ...["* * * * \u0000", "* * * * MONDAY", "\u0661 * * * *"],
  ])("may not be %j [I1.5]", (cron) => {
    expect(isCron(cron)).toBe(false)
  })

  test.each(["0 0 30 2 *", "0 0 31 4,6,9,11 *", "0 0 31 feb *", "0 0 30,31 2 */2"])("%j never fires [I1.5]", (cron) => {
    expect(isCron(cron)).toBe(false)
    expect(nextTick({ cron, timezone: "UTC" }, new Date("2026-01-01"))).toBeNull()
    expect(findLastTick({ cron, timezone: "UTC" }, new Date("1900-01-01"), new Date("2026-01-01"))).toBeNull()
  })

  test.each([[{ cron: "61 * * * *", timezone: "UTC" }], [{ cron: "0 9 * * *", timezone: "Europe/Atlantis" }]])(
    "that cannot be read is no schedule: %j",
    (recurrence) => {
      expect(() => nextTick(recurrence, new Date(0))).toThrow()
      expect(() => findLastTick(recurrence, new Date(0), new Date(1))).toThrow()
    },
  )
})

describe("ticks", () => {
  const berlin = "Europe/Berlin"
  test.each([
    // Berlin: from 02:00 to 03:00 on 29 March, from 03:00 back to 02:00 on 25 October.
    ["30 2 * * *", berlin, "2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:30Z"], "in a gap: right after it"],
    ["0,30 2 * * *", berlin, "2026-03-28T12:00Z", ["2026-03-29T01:00Z", "2026-03-30T00:00Z"], "two in a gap are one"],
    [
      "30 2,3 * * *",
      berlin,
      "2026-03-28T12:00Z",
      ["2026-03-29T01:00Z", "2026-03-29T01:30Z"],
      "one after the gap stays",
    ],
    ["30 * * * *", berlin, "2026-03-29T00:00Z", ["2026-03-29T00:30Z", "2026-03-29T01:30Z"], "every hour that exists"],
    ["*/30 2 * * *", berlin, "2026-03-28T12:00Z", ["2026-03-30T00:00Z", "2026-03-30T00:30Z"], "none in a gap"],
    ["30 2-2 * * *", berlin, "2026-03-28T12:00Z", ["2026-03-30T00:30Z"], "a range is no fixed hour"],
    ["30 2 * * *", berlin, "2026-10-24T12:00Z", ["2026-10-25T00:30Z", "2026-10-26T01:30Z"], "in an overlap: the first"],
    ["30 2 * * *", berlin, "2026-10-25T00:30Z", ["2026-10-26T01:30Z"], "and not the second"],
    [
      ...["30 * * * *", berlin, "2026-10-25T00:00Z"],
      ["2026-10-25T00:30Z", "2026-10-25T01:30Z", "2026-10-25T02:30Z"],
      "both times",
    ],
    ["*/30 2 * * *", berlin, "2026-10-25T00:15Z", ["2026-10-25T00:30Z", "2026-10-25T01:00Z"], "also within the second"],
    ["0 10 * * *", "America/New_York", "2026-10-31T14:00Z", ["2026-11-01T15:00Z"], "ten o'clock stays ten o'clock"],
    ["*/15 * * * *", "Asia/Kathmandu", "2026-01-01T00:00Z", ["2026-01-01T00:15Z"], "strictly after"],
    ["15 2 * * *", "Australia/Lord_Howe", "2026-10-03T12:00Z", ["2026-10-03T15:30Z"], "a gap of half an hour"],
    // St. John's: from 00:01 back to 23:01, so the evening comes twice, once after midnight.
    [
      ...["*/30 * * * *", "America/St_Johns", "2007-11-04T02:00Z"],
      ["2007-11-04T02:30Z", "2007-11-04T03:00Z", "2007-11-04T03:30Z"],
      "an overlap over midnight",
    ],
    ["30 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00Z", ["2018-11-04T03:00Z"], "a gap at midnight"],
    // Samoa had no 30 December 2011.
    [
      ...["0 9 * * *", "Pacific/Apia", "2011-12-29T00:00Z"],
      ["2011-12-29T19:00Z", "2011-12-30T10:00Z", "2011-12-30T19:00Z"],
      "a gap of a day",
    ],
    ["0 */12 * * *", "Pacific/Apia", "2011-12-29T23:00Z", ["2011-12-30T10:00Z", "2011-12-30T22:00Z"], "not on no day"],
    ["0 0 29 2 *", "UTC", "2096-03-01T00:00Z", ["2104-02-29T00:00Z"], "eight years ahead"],
    ["0 0 13 * 5", "UTC", "2026-10-09T00:00Z", ["2026-10-13T00:00Z", "2026-10-16T00:00Z"], "a date or a weekday"],
    ["0 0 */2 * 5", "UTC", "2026-10-09T00:00Z", ["2026-10-23T00:00Z"], "a step narrows the weekday"],
    ["0 9 * * MON", "UTC", "2026-10-09T00:00Z", ["2026-10-12T09:00Z"], "a weekday by name"],
    ["0 0 31 * *", "UTC", "2026-01-31T00:00Z", ["2026-03-31T00:00Z"], "months without the day"],
  ] as const)("of %s in %s after %s are %j: %s [I1.3, E9]", (cron, timezone, after, ticks, _why) => {
    expect(listTicks({ cron, timezone }, after, ticks.length)).toEqual(ticks)
  })

  test.each([
    ["0 9 * * *", "UTC", "2026-03-01T00:00Z", "2026-03-05T08:59Z", "2026-03-04T09:00Z", "the latest of several"],
    ["0 9 * * *", "UTC", "2026-03-04T09:00Z", "2026-03-05T08:59Z", null, "not the one at which it begins"],
    ["0 9 * * *", "UTC", "2026-03-04T08:59Z", "2026-03-04T09:00Z", "2026-03-04T09:00Z", "the one at which it ends"],
    ["0 0 29 2 *", "UTC", "1999-01-01T00:00Z", "2026-03-01T00:00Z", "2024-02-29T00:00Z", "years ago"],
    ["* * * * *", "UTC", "2020-01-01T00:00Z", "2026-03-01T00:00Z", "2026-03-01T00:00Z", "of very many"],
    ["30 2 * * *", berlin, "2026-03-28T12:00Z", "2026-03-29T01:00Z", "2026-03-29T01:00Z", "the end of a gap"],
    ["30 2 * * *", berlin, "2026-10-25T00:30Z", "2026-10-25T23:00Z", null, "not the second time"],
    ["0 */12 * * *", "America/St_Johns", "2007-11-04T00:00Z", "2007-11-04T02:45Z", "2007-11-04T02:30Z", "of tomorrow"],
  ] as const)("%s in %s, from %s to %s: the last is %s: %s", (cron, timezone, after, until, tick, _why) => {
    const found = findLastTick({ cron, timezone }, new Date(after), new Date(until))
    expect(found).toEqual(tick === null ? null : new Date(tick))
  })
})

/** What the clock of a zone shows at every minute of some days. */
const watchClock = (zone: string, from: number, minutes: number) =>
  Array.from({ length: minutes + 1 }, (_, minute) => {
    const at = from + minute * minuteMillis
    return { at, wall: wallMillis(new Date(at), zone) }
  })

/** The minutes at which the clock shows a wanted time or, for fixed times, shows or passes it for the first time. */
const findTicks = (clock: ReturnType<typeof watchClock>, isTick: (wall: Date) => boolean, isFixed: boolean) => {
  let reached = clock[0]?.wall ?? 0
  return clock.slice(1).flatMap(({ at, wall }) => {
    if (!isFixed) return isTick(new Date(wall)) ? [at] : []
    let isDue = false
    for (; reached < wall; reached += minuteMillis) isDue ||= isTick(new Date(reached + minuteMillis))
    return isDue ? [at] : []
  })
}

describe("ticks around changes of clocks", () => {
  const minutes = [["*"], ["*/20", 0, 20, 40], ["30", 30], ["0", 0], ["1,45", 1, 45]] as const
  const hours = [["*"], ["*/6", 0, 6, 12, 18], ["0", 0], ["2", 2], ["1,2,23", 1, 2, 23]] as const
  const cases = minutes.flatMap(([minute, ...ms]) =>
    hours.map(([hour, ...hs]) => ({
      cron: `${minute} ${hour} * * *`,
      isFixed: !`${minute}${hour}`.includes("*"),
      isTick: (wall: Date) =>
        (ms.length === 0 || ms.includes(wall.getUTCMinutes() as never)) &&
        (hs.length === 0 || hs.includes(wall.getUTCHours() as never)),
    })),
  )

  // The clocks change by half an hour, by an hour, at and around midnight, and by a day.
  test.each([
    ["Europe/Berlin", "2026-03-29T01:00Z"],
    ["Europe/Berlin", "2026-10-25T01:00Z"],
    ["Australia/Lord_Howe", "2026-04-04T15:00Z"],
    ["Australia/Lord_Howe", "2026-10-03T15:30Z"],
    ["America/Sao_Paulo", "2018-11-04T03:00Z"],
    ["America/Sao_Paulo", "2018-02-18T02:00Z"],
    ["America/St_Johns", "2007-11-04T02:31Z"],
    ["America/Havana", "2006-10-29T05:00Z"],
    ["Antarctica/Casey", "2020-10-03T16:01Z"],
    ["Pacific/Apia", "2011-12-30T10:00Z"],
    ["Africa/Casablanca", "2026-02-15T02:00Z"],
  ])("are in %s, at %s, those that somebody sees who watches the clock [I1.3, E9]", (timezone, turn) => {
    const from = Date.parse(turn) - 1_440 * minuteMillis
    const clock = watchClock(timezone, from, 2_880)
    const [end, middle] = [from + 2_880 * minuteMillis, Date.parse(turn) + 40 * minuteMillis]
    for (const { cron, isFixed, isTick } of cases) {
      const seen = findTicks(clock, isTick, isFixed)
      const recurrence = { cron, timezone }
      const listed: Array<number> = []
      for (const tick of listNextTicks(recurrence, new Date(from))) {
        if (tick.getTime() > end) break
        listed.push(tick.getTime())
      }
      expect(listed, cron).toEqual(seen)
      const last = seen.findLast((at) => at <= middle)
      expect(findLastTick(recurrence, new Date(from), new Date(middle))?.getTime(), cron).toBe(last)
      expect(findLastTick(recurrence, new Date(from), new Date(end))?.getTime(), cron).toBe(seen.at(-1))
      const next = seen.find((at) => at > middle)
      if (next !== undefined) expect(nextTick(recurrence, new Date(middle))?.getTime(), cron).toBe(next)
    }
  })

  it("follow one another in every zone", () => {
    const zones = fc.constantFrom("UTC", ...Intl.supportedValuesOf("timeZone"))
    const instants = fc.date({ min: new Date("1990-01-01"), max: new Date("2036-01-01"), noInvalidDate: true })
    const crons = fc.constantFrom("30 2 * * *", "0 0 * * 1", "*/45 */5 * * *", "15 1 1 * *", "0 9 * 3,10 0")
    const property = fc.property(zones, instants, crons, (timezone, after, cron) => {
      const tick = nextTick({ cron, timezone }, after) as Date
      expect(tick > after).toBe(true)
      expect(findLastTick({ cron, timezone }, after, tick)).toEqual(tick)
      expect(findLastTick({ cron, timezone }, after, new Date(tick.getTime() - 1))).toBeNull()
    })
    fc.assert(property, { numRuns: 300 })
  })
})
