import { manualClock } from "@hearth/testing"
import { Effect, Exit } from "effect"
import { expect, it } from "vitest"
import { makeTtlCache } from "./ttl-cache.ts"

const setUp = () => {
  const clock = manualClock()
  const lookups: Array<string> = []
  const answers = makeTtlCache(clock, 5_000, (key: string) =>
    key === "fails"
      ? Effect.suspend(() => Effect.fail(lookups.push(key)))
      : Effect.sync(() => `${key} ${lookups.push(key)}`),
  )
  return { clock, lookups, answers, get: (key: string) => Effect.runSync(answers.get(key)) }
}

it("looks up once in five seconds, counted from the start of the lookup", () => {
  const { clock, get } = setUp()
  expect([get("a"), get("a")]).toEqual(["a 1", "a 1"])
  clock.advance("4999 millis")
  expect(get("a")).toBe("a 1")
  clock.advance("1 millis")
  expect(get("a")).toBe("a 2")
})

it("keeps the answers of different keys apart", () => {
  const { get } = setUp()
  expect([get("a"), get("b"), get("a")]).toEqual(["a 1", "b 2", "a 1"])
})

it("counts the age from the start of the lookup, not from its answer", async () => {
  const clock = manualClock()
  let lookups = 0
  const answers = makeTtlCache(clock, 5_000, () =>
    Effect.sync(() => {
      clock.advance("4 seconds")
      lookups += 1
      return lookups
    }),
  )
  expect(await Effect.runPromise(answers.get("slow"))).toBe(1)
  clock.advance("1 second")
  expect(await Effect.runPromise(answers.get("slow"))).toBe(2)
})

it("does not remember failures", () => {
  const { answers, lookups } = setUp()
  expect(Exit.isFailure(Effect.runSyncExit(answers.get("fails")))).toBe(true)
  expect(Exit.isFailure(Effect.runSyncExit(answers.get("fails")))).toBe(true)
  expect(lookups).toHaveLength(2)
})

it("does not keep an answer longer when the clock was set back", () => {
  const { clock, get } = setUp()
  expect(get("a")).toBe("a 1")
  clock.advance("-1 hour")
  expect(get("a")).toBe("a 2")
})

it("can be cleared", () => {
  const { answers, get } = setUp()
  expect(get("a")).toBe("a 1")
  answers.clear()
  expect(get("a")).toBe("a 2")
})

it("drops the oldest answers beyond its capacity", () => {
  const { get, lookups } = setUp()
  get("first")
  for (let key = 0; key < 50_000; key += 1) get(String(key))
  const before = lookups.length
  get("49999")
  expect(lookups.length).toBe(before)
  get("first")
  expect(lookups.length).toBe(before + 1)
})
