import { expect, it } from "vitest"
import { orderEvents } from "./order-events.ts"
import type { QualifyingEventRow } from "./streak-rows.ts"

const start = Date.UTC(2026, 0, 2, 6)
const at = (seconds: number, day: string, zone: string, counted: number): QualifyingEventRow => ({
  ...{ app_user_id: "user", streak_definition_id: "definition", events: 1, day, zone },
  ...{ occurred_at: new Date(start + seconds * 1_000), counted_at: new Date(start + counted) },
})
const [first, second] = ["2026-01-01", "2026-01-02"]
const [here, there] = ["America/Los_Angeles", "Asia/Tokyo"]

it("puts a day that was counted before a late event of another zone before it", () => {
  const [late, done] = [at(0, second, there, 2), at(1, first, here, 1)]
  expect(orderEvents([late, done])).toEqual([done, late])
})

it.each([
  ["of the same zone", at(0, second, here, 2), at(1, first, here, 1)],
  ["that was counted before", at(0, second, there, 1), at(1, first, here, 2)],
  ["of two days before", at(-2 * 86_400, second, there, 2), at(1, first, here, 1)],
])("leaves an event behind one %s", (_, one, other) => {
  expect(orderEvents([one, other])).toEqual([one, other])
})

it("looks at so many, and first at those by which a day was done", () => {
  const events = Array.from({ length: 100_000 }, (_, n) =>
    n % 2 === 0 ? at(n / 100, second, there, 2) : at(n / 100, first, here, 1),
  )
  const ordered = orderEvents(events)
  expect(ordered).toHaveLength(events.length)
  expect(ordered.slice(0, 100).map(({ day }) => day)).toEqual(Array.from({ length: 100 }, () => first))
})
