import { type Failure, type RateLimit, RateLimitExceeded, type RateLimiter } from "@hearth/core"
import { limitSubject } from "@hearth/core/limits"
import { Effect } from "effect"

/** Counts calls: the part of a limiter that routes use. */
export type CallCounter = Pick<RateLimiter, "consume">

/** Headers that are added to an answer, be it a success or an error. */
export type ExtraHeaders = Record<string, string>

/** Makes the check of a route's limits per client address. Null without limits. */
export const makeLimitCheck = (
  limiter: CallCounter,
  route: string,
  limits: ReadonlyArray<RateLimit> = [],
): ((address: string, headers: ExtraHeaders) => Effect.Effect<void, Failure>) | null => {
  if (limits.length === 0) return null
  return Effect.fnUntraced(function* (address, headers) {
    const decision = yield* limiter.consume(`${route} ${limitSubject(address)}`, limits)
    headers["ratelimit-limit"] = String(decision.limit)
    headers["ratelimit-remaining"] = String(decision.remaining)
    headers["ratelimit-reset"] = String(decision.reset_seconds)
    if (!decision.allowed) return yield* new RateLimitExceeded({ retry_after_seconds: decision.reset_seconds })
  })
}
