import { hash } from "node:crypto"
import type { RateDecision, RateLimit, RateLimiter } from "@hearth/core"
import { Effect } from "effect"
import type { RateLimiterRes } from "rate-limiter-flexible"

/** Counts one call for a key in one window, and says how many there were; also when that is more than allowed. */
export type Count = (key: string) => Effect.Effect<RateLimiterRes>

/**
 * A limiter over windows that `open` makes, one for each pair of points and seconds. A window begins with a key's first
 * call in it. The shortest window is checked first, and the others not after a refusal: a burst that exceeds the minute's
 * limit does not use up the day's. A call that exceeds the day's limit has been counted in the minute's.
 */
export const windowedRateLimiter = (open: (limit: RateLimit) => Count): RateLimiter => {
  const windows = new Map<string, Count>()
  const windowOf = (limit: RateLimit): Count => {
    const name = windowName(limit)
    const window = windows.get(name) ?? open(limit)
    windows.set(name, window)
    return window
  }
  return {
    consume: Effect.fnUntraced(function* (key, limits) {
      const ordered = inOrder(limits)
      // Stores see no addresses, and a key of any length and with any characters fits them.
      const stored = hash("sha256", key, "base64url")
      let tightest: RateDecision | undefined
      for (const limit of ordered) {
        const decision = decide(limit, yield* windowOf(limit)(stored))
        if (!decision.allowed) return decision
        if (tightest === undefined || decision.remaining < tightest.remaining) tightest = decision
      }
      return tightest as RateDecision
    }),
  }
}

/** `5/60`: five calls in sixty seconds. */
export const windowName = ({ points, seconds }: RateLimit): string => `${points}/${seconds}`

const inOrder = (limits: ReadonlyArray<RateLimit>): ReadonlyArray<RateLimit> => {
  if (limits.length === 0 || !limits.every(isUsable)) {
    throw new RangeError("A rate limit needs windows of whole points and seconds, none over 24 days.")
  }
  return limits.toSorted((one, other) => one.seconds - other.seconds)
}

/** Timers, and so counts in a process, last for at most 2^31 milliseconds. */
const MAX_SECONDS = 2_147_483

const isUsable = ({ points, seconds }: RateLimit) =>
  Number.isSafeInteger(points) && points >= 1 && Number.isSafeInteger(seconds) && seconds >= 1 && seconds <= MAX_SECONDS

const decide = ({ points }: RateLimit, { consumedPoints, msBeforeNext }: RateLimiterRes): RateDecision => ({
  allowed: consumedPoints <= points,
  limit: points,
  remaining: Math.max(0, points - consumedPoints),
  reset_seconds: Math.max(1, Math.ceil(msBeforeNext / 1000)),
})
