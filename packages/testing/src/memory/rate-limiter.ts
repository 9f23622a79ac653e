import type { Clock, RateDecision, RateLimit, RateLimiter } from "@hearth/core"
import { Effect } from "effect"

interface Window {
  count: number
  readonly endsAt: number
}

/** Counts calls in windows by the clock. The shortest window is checked first, and the others not after a refusal. */
export const memoryRateLimiter = (clock: Clock): RateLimiter => {
  const windows = new Map<string, Window>()
  const count = (key: string, { points, seconds }: RateLimit): RateDecision => {
    const now = clock.now().getTime()
    const name = JSON.stringify([points, seconds, key])
    const open = windows.get(name)
    const window = open !== undefined && open.endsAt > now ? open : { count: 0, endsAt: now + seconds * 1000 }
    windows.set(name, window)
    window.count += 1
    return {
      allowed: window.count <= points,
      limit: points,
      remaining: Math.max(0, points - window.count),
      reset_seconds: Math.ceil((window.endsAt - now) / 1000),
    }
  }
  return {
    consume: (key, limits) =>
      Effect.sync(() => {
        const decisions: Array<RateDecision> = []
        for (const limit of inOrder(limits)) {
          const decision = count(key, limit)
          if (!decision.allowed) return decision
          decisions.push(decision)
        }
        return decisions.reduce((tightest, other) => (other.remaining < tightest.remaining ? other : tightest))
      }),
  }
}

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
