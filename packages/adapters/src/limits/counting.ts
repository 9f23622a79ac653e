import type { RateLimit } from "@hearth/core"
import { Effect } from "effect"
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible"
import type { Count } from "./windows.ts"

/** Counts a call. The library rejects with the count when that is too high; any other rejection comes from the store. */
export const countBy = async (limiter: RateLimiterAbstract, key: string): Promise<RateLimiterRes> => {
  try {
    return await limiter.consume(key)
  } catch (error) {
    if (error instanceof RateLimiterRes) return error
    throw error
  }
}

/** Counts in this process alone. */
export const countLocally = ({ points, seconds }: RateLimit): Count => {
  const limiter = new RateLimiterMemory({ points, duration: seconds })
  return (key) => Effect.promise(() => countBy(limiter, key))
}
