import { Effect } from "effect"
import { expect, it } from "vitest"
import { makeCounters } from "./counters.ts"

const limit = { points: 2, seconds: 60 }

const counting = (capacity: number) => {
  let now = 0
  const counters = makeCounters(() => now, capacity)
  const take = (key: string) => Effect.runSync(counters.take([{ key, limit, points: 1 }], false)).taken
  return { counters, take, pass: (millis: number) => (now += millis) }
}

it("a flood of keys keeps the memory bounded, and lifts no refusal", () => {
  const { counters, take } = counting(1_000)
  for (const _ of [1, 2]) expect(take("locked")).toBe(true)
  for (let key = 0; key < 100_000; key += 1) take(`made up ${key}`)
  expect(counters.size()).toBe(1_000)
  expect(take("locked")).toBe(false)
})

it("a flood of keys that are used up is bounded too", () => {
  const { counters, take } = counting(100)
  for (let key = 0; key < 1_000; key += 1) for (const _ of [1, 2, 3]) take(`made up ${key}`)
  expect(counters.size()).toBe(100)
})

it("counters whose window has ended make room first", () => {
  const { counters, take, pass } = counting(10)
  for (let key = 0; key < 9; key += 1) take(`early ${key}`)
  pass(60_000)
  take("late")
  take("later")
  expect(counters.size()).toBe(2)
})
