import type { RateLimiter } from "@hearth/core"
import type { Pool } from "pg"
import { RateLimiterPostgres } from "rate-limiter-flexible"
import { countBy, countLocally } from "./counting.ts"
import { type LimitLog, makeFallback } from "./fallback.ts"
import { windowedRateLimiter, windowName } from "./windows.ts"

/** The table that the library expects. Unlogged, since counts may be lost in a crash. Several processes may run this at once. */
const CREATE_TABLE = `
do $$
begin
  perform pg_advisory_xact_lock(hashtext('hearth_limits'));
  if to_regclass('hearth_limits.calls') is null then
    create schema if not exists hearth_limits;
    create unlogged table hearth_limits.calls (
      key text primary key,
      points integer not null default 0,
      expire bigint
    );
  end if;
end
$$`

/**
 * Counts in `hearth_limits.calls` for all processes together, and in this process while the database does not answer. The
 * table is created when it is missing. The caller closes the pool.
 */
export const postgresRateLimiter = (pool: Pool, log: LimitLog = () => {}): RateLimiter => {
  const withFallback = makeFallback("PostgreSQL", log)
  let isCreated = false
  let hasCleaner = false

  const count = async (limiter: RateLimiterPostgres, key: string) => {
    try {
      if (!isCreated) await pool.query(CREATE_TABLE)
      isCreated = true
      return await countBy(limiter, key)
    } catch (error) {
      // The database may come back empty, without the table.
      isCreated = false
      throw error
    }
  }

  return windowedRateLimiter((limit) => {
    const limiter = new RateLimiterPostgres({
      storeClient: pool,
      storeType: "pool",
      schemaName: "hearth_limits",
      tableName: "calls",
      tableCreated: true,
      keyPrefix: windowName(limit),
      points: limit.points,
      duration: limit.seconds,
      // The library deletes expired counts of all limiters: one timer is enough.
      clearExpiredByTimeout: !hasCleaner,
    })
    hasCleaner = true
    return withFallback((key) => count(limiter, key), countLocally(limit))
  })
}
