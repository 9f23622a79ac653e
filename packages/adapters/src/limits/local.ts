import type { RateLimiter } from "@hearth/core"
import { type CounterStore, makeCounters, makeRateLimiter } from "@hearth/core/limits"

/** The counters of this process, bounded in number. */
export const localCounters = (): CounterStore => makeCounters(() => performance.now())

/** Counts in this process alone: for one process without Redis or a database of its own. */
export const localRateLimiter = (): RateLimiter => makeRateLimiter(localCounters())
