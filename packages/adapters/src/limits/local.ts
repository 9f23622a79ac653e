import type { RateLimiter } from "@hearth/core"
import { type CounterStore, makeCounters, makeRateLimiter } from "@hearth/core/limits"

// In whole milliseconds: of two sums of fractions the rest of a window may be more than the window, by too little to matter and
// enough to be rounded up to a second more.
const now = () => Math.floor(performance.now())

/** The counters of this process, bounded in number. */
export const localCounters = (): CounterStore => makeCounters(now)

/** Counts in this process alone: for one process without Redis or a database of its own. */
export const localRateLimiter = (): RateLimiter => makeRateLimiter(localCounters())
