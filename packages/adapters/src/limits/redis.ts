import type { RateLimiter } from "@hearth/core"
import type { Redis } from "ioredis"
import { RateLimiterRedis } from "rate-limiter-flexible"
import { countBy, countLocally } from "./counting.ts"
import { type LimitLog, makeFallback } from "./fallback.ts"
import { windowedRateLimiter, windowName } from "./windows.ts"

/**
 * Counts in Redis for all processes together, and in this process while Redis does not answer. The client connects by
 * itself (not `lazyConnect`); the caller closes it.
 */
export const redisRateLimiter = (client: Redis, log: LimitLog = () => {}): RateLimiter => {
  const withFallback = makeFallback("Redis", log)
  return windowedRateLimiter((limit) => {
    const limiter = new RateLimiterRedis({
      storeClient: client,
      keyPrefix: `hearth:limit:${windowName(limit)}`,
      points: limit.points,
      duration: limit.seconds,
      rejectIfRedisNotReady: true,
    })
    return withFallback((key) => countBy(limiter, key), countLocally(limit))
  })
}
