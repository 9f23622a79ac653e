import type { Effect } from "effect"

/** At most `points` in each window of `seconds`. */
export interface RateLimit {
  readonly points: number
  readonly seconds: number
}

/** What the tightest of the limits says after this call. */
export interface RateDecision {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds, at least 1, until the limit allows another call (when refused) or its window ends. */
  readonly reset_seconds: number
}

/** Counts calls per key, for all processes together. */
export interface RateLimiter {
  /** Counts one call for `key` against every limit in `limits`. Refused when any of them is used up. */
  consume(key: string, limits: ReadonlyArray<RateLimit>): Effect.Effect<RateDecision>
}
