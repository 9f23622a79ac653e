import { describe, expect, it } from "vitest"
import { capAwards, findDay } from "./cap-awards.ts"
import type { XpDay } from "./entry.ts"

const rule = (amount: number, daily_cap: number | null) => ({ event_name: "lesson", amount, daily_cap })

const event = (at: string, app_user_id = "ada", event_name = "lesson") => ({
  ...{ id: `${event_name} ${at}`, app_user_id, event_name },
  occurred_at: new Date(at),
})

const day = (amount: number, on = "2026-03-01"): XpDay => ({
  app_user_id: "ada",
  event_name: "lesson",
  day: on,
  amount,
})

const cap = (
  events: ReadonlyArray<ReturnType<typeof event>>,
  { amount, daily_cap }: { amount: number; daily_cap: number | null },
  before: ReadonlyArray<XpDay> = [],
) => {
  const { awards, days } = capAwards(
    events.map((each) => ({
      event: each,
      rule: { ...rule(amount, daily_cap), event_name: each.event_name },
      cause_key: each.id,
      day: findDay(each),
    })),
    before,
  )
  return [awards.map((award) => award.amount), days.map(({ amount }) => amount)]
}

const noon = "2026-03-01T12:00:00.000Z"
const five = Array.from({ length: 5 }, () => event(noon))

describe("the daily cap of a rule [G2.1]", () => {
  it.each<[string, number, number | null, ReadonlyArray<XpDay>, ReadonlyArray<number>, ReadonlyArray<number>]>([
    ["null is no bound", 10, null, [], [10, 10, 10, 10, 10], [50]],
    ["the award that would pass it is cut to it", 10, 25, [], [10, 10, 5], [25]],
    ["what is cut to 0 is left out", 10, 20, [], [10, 10], [20]],
    ["it may be below one award", 10, 3, [], [3], [3]],
    ["it counts what was given before", 10, 25, [day(18)], [7], [25]],
    ["it counts what was given before it was there", 10, 25, [day(40)], [], []],
    ["other days do not count", 10, 25, [day(25, "2026-02-28")], [10, 10, 5], [25]],
  ])("%s", (_, amount, daily_cap, before, awards, days) => {
    expect(cap(five, { amount, daily_cap }, before)).toEqual([awards, days])
  })

  it("counts by the UTC day of occurred_at", () => {
    const around = [event("2026-03-01T23:59:59.999Z"), event("2026-03-02T00:00:00.000Z"), event(noon)]
    expect(cap(around, { amount: 10, daily_cap: 15 })).toEqual([
      [10, 10, 5],
      [15, 10],
    ])
    expect(findDay(event("2026-03-02T00:30:00.000+02:00")).day).toBe("2026-03-01")
  })

  it("counts users and event names apart", () => {
    const others = [event(noon), event(noon, "bob"), event(noon, "ada", "quiz"), event(noon)]
    expect(cap(others, { amount: 10, daily_cap: 10 })).toEqual([
      [10, 10, 10],
      [10, 10, 10],
    ])
  })
})
