import { randomUUID } from "node:crypto"
import type { RateLimiter } from "@hearth/core"
import { Effect } from "effect"
import { expect, vi } from "vitest"

const LIMIT = { points: 3, seconds: 3_600 }
const consume = (limiter: RateLimiter, key: string) => Effect.runPromise(limiter.consume(key, [LIMIT]))

/** Expects that limits work: no call fails, no more calls are allowed than points, and none waits for longer than `patienceMillis`. */
export const expectLimited = async (limiter: RateLimiter, patienceMillis = 3_000) => {
  const key = randomUUID()
  const allowed: Array<boolean> = []
  for (let call = 0; call < 5; call += 1) {
    const from = performance.now()
    allowed.push((await consume(limiter, key)).allowed)
    expect(performance.now() - from).toBeLessThan(patienceMillis)
  }
  expect(allowed).toEqual([true, true, true, false, false])
}

/** Whether two limiters count the same calls: they do with one store, and not while one of them counts locally. */
export const countTogether = async (one: RateLimiter, other: RateLimiter): Promise<boolean> => {
  const key = randomUUID()
  return (await consume(one, key)).remaining === 2 && (await consume(other, key)).remaining === 1
}

/** Expects that of many attempts which begin at two limiters at once no more are under way than there are points. */
export const expectAttemptsTogether = async (one: RateLimiter, other: RateLimiter) => {
  const claims = [randomUUID(), randomUUID(), randomUUID()].map((key) => ({ key, limit: LIMIT }))
  const attempts = Array.from({ length: 40 }, (_, index) =>
    (index % 2 === 0 ? one : other).reserve(index % 3 === 0 ? claims.toReversed() : claims),
  )
  const outcomes = await Effect.runPromise(Effect.all(attempts, { concurrency: "unbounded" }))
  const allowed = outcomes.flatMap((outcome) => (outcome.allowed ? [outcome] : []))
  expect(allowed).toHaveLength(LIMIT.points)
  await Promise.all(allowed.map(({ settle }) => Effect.runPromise(settle(false))))
  for (const limiter of [one, other, one]) expect((await Effect.runPromise(limiter.reserve(claims))).allowed).toBe(true)
  expect(await Effect.runPromise(other.reserve(claims))).toMatchObject({ allowed: false, may_be_freed: true })
}

/** Waits until two limiters count the same calls again. */
export const waitUntilTogether = (one: RateLimiter, other: RateLimiter) =>
  vi.waitFor(async () => expect(await countTogether(one, other)).toBe(true), { timeout: 45_000, interval: 100 })

export const LOST = "Rate limits are counted in this process alone."
export const FOUND = "Rate limits are counted for all processes again."
