import type { RateLimiter } from "@hearth/core"
import { countLocally } from "./counting.ts"
import { windowedRateLimiter } from "./windows.ts"

/** Counts in this process alone: for one process without Redis or a database of its own. */
export const localRateLimiter = (): RateLimiter => windowedRateLimiter(countLocally)
