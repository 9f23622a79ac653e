import type { RateLimiter } from "@hearth/core"
import { Redis } from "ioredis"
import { Pool } from "pg"
import type { LimitLog } from "./fallback.ts"
import { postgresRateLimiter } from "./postgres.ts"
import { redisRateLimiter } from "./redis.ts"

/** A rate limiter with connections of its own. */
export interface OpenRateLimiter {
  readonly limiter: RateLimiter
  close(): Promise<void>
}

/** Opens a rate limiter on Redis or on PostgreSQL. It opens without either: until they answer it counts in this process. */
export const openRateLimiter = (
  options: { readonly redisUrl: string; readonly name?: string } | { readonly databaseUrl: string },
  log: LimitLog,
): OpenRateLimiter => {
  if ("redisUrl" in options) {
    const client = new Redis(options.redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: 1000,
      // One that a proxy keeps open, and that leads nowhere, is made anew.
      socketTimeout: 10_000,
    })
    // The limiter falls back when a connection is lost. Without a listener the error would end the process.
    client.on("error", () => {})
    return { limiter: redisRateLimiter(client, log, options.name), close: async () => client.disconnect() }
  }
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: 4,
    connectionTimeoutMillis: 2_000,
    idleTimeoutMillis: 10_000,
    application_name: "hearth limits",
  })
  pool.on("error", () => {})
  return { limiter: postgresRateLimiter(pool, log), close: () => pool.end() }
}
