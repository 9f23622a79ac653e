import type { Clock, RateLimiter } from "@hearth/core"
import { makeCounters, makeRateLimiter } from "@hearth/core/limits"

/** Counts in windows by the clock, as a process does that counts alone. */
export const memoryRateLimiter = (clock: Clock): RateLimiter =>
  makeRateLimiter(makeCounters(() => clock.now().getTime()))
