import type { Effect } from "effect"

/** At most `points` in each window of `seconds`. */
export interface RateLimit {
  readonly points: number
  readonly seconds: number
}

/** The state of the tightest limit after this call. */
export interface RateDecision {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds, at least 1: until the limit allows another call (when refused), else until its window ends. */
  readonly reset_seconds: number
}

/** Counts calls per key, across all processes. */
export interface RateLimiter {
  /** Counts one call for `key` against every limit in `limits`. Refused when any of them is used up. */
  consume(key: string, limits: ReadonlyArray<RateLimit>): Effect.Effect<RateDecision>
}
