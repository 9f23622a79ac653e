import type { Effect } from "effect"

/** At most `points` in each window of `seconds`. A window begins with the first point in it. */
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

/** What an attempt is counted as: one point for `key` in the window of `limit`. */
export interface RateClaim {
  readonly key: string
  readonly limit: RateLimit
}

/** The points of an attempt, taken before it began. */
export type Reservation =
  | {
      readonly allowed: true
      /** Ends the attempt: keeps its points as counted, or gives them back to the windows that they were taken from. */
      readonly settle: (isCounted: boolean) => Effect.Effect<void>
    }
  | {
      readonly allowed: false
      /** Whether attempts that have not ended hold points, so that an attempt may be allowed once they have. */
      readonly may_be_freed: boolean
      /** Whole seconds, at least 1, until the last of the limits that refused it begins a new window. */
      readonly reset_seconds: number
    }

/**
 * Counts calls and attempts per key, across all processes; of many at once no more are allowed. Any two texts are two keys, and each
 * limit of a key has a window of its own. Dies without a limit, and at limits that are not whole numbers from 1 on (24 days at most).
 */
export interface RateLimiter {
  /**
   * Counts a call of `points` (default 1) for `key` against every limit in `limits`. Refused when any of them would be
   * exceeded; then nothing is counted.
   */
  consume(key: string, limits: ReadonlyArray<RateLimit>, points?: number): Effect.Effect<RateDecision>
  /** Counts a call for every claim, each its own key or window. Refused when any would be exceeded; then nothing is counted. */
  consumeEach(claims: ReadonlyArray<RateClaim>): Effect.Effect<RateDecision>
  /**
   * Takes a point for every claim before an attempt, or none when any limit is used up: so however many attempts come at
   * once, no more than a limit's points are under way or counted [B14]. Points of an attempt that is never settled stay.
   */
  reserve(claims: ReadonlyArray<RateClaim>): Effect.Effect<Reservation>
}
