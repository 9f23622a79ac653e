import { Effect } from "effect"
import { expect, it } from "vitest"
import { rateLimiterContract } from "../src/contracts/rate-limiter.contract.ts"
import { manualClock } from "../src/memory/clock.ts"
import { memoryRateLimiter } from "../src/memory/rate-limiter.ts"

rateLimiterContract("memory", () => {
  const clock = manualClock()
  return { limiter: memoryRateLimiter(clock), pass: async (seconds) => clock.advance(seconds * 1000) }
})

it("ends a window at the exact time of the clock", () => {
  const clock = manualClock()
  const limiter = memoryRateLimiter(clock)
  const consume = () => Effect.runSync(limiter.consume("key", [{ points: 1, seconds: 60 }]))
  expect(consume()).toEqual({ allowed: true, limit: 1, remaining: 0, reset_seconds: 60 })
  clock.advance(59_999)
  expect(consume()).toEqual({ allowed: false, limit: 1, remaining: 0, reset_seconds: 1 })
  clock.advance(1)
  expect(consume().allowed).toBe(true)
})
