import type { RateLimiter } from "@hearth/core"
import { makeRateLimiter, type TakeResult } from "@hearth/core/limits"
import { Effect } from "effect"
import type { Pool } from "pg"
import { type LimitLog, settleInStore, withFallback } from "./fallback.ts"
import { nameInStore } from "./name-in-store.ts"
import { CREATE, REMOVE_ENDED, SETTLE, TAKE } from "./postgres-sql.ts"

/** How long counters that have ended may stay, in milliseconds. */
const KEPT_MILLIS = 5 * 60_000

interface Row {
  readonly taken: boolean
  readonly points: number
  readonly held: number
  readonly left_millis: number
  readonly expire: string
}

/**
 * Counts in `hearth_limits.calls` for all processes together, and in this process while the database does not answer. The
 * table is created when it is missing. The caller closes the pool.
 */
export const postgresRateLimiter = (pool: Pool, log: LimitLog = () => {}): RateLimiter => {
  let isCreated = false
  let cleanedAt = performance.now()

  /** Removes counters that have ended, now and then. Nothing waits for it, and where it fails the next time does it. */
  const clean = () => {
    if (performance.now() < cleanedAt + KEPT_MILLIS) return
    cleanedAt = performance.now()
    void pool.query(REMOVE_ENDED).catch(() => {})
  }
  const query = async (given: ReadonlyArray<unknown>) => {
    try {
      if (!isCreated) await pool.query(CREATE)
      isCreated = true
      return (await pool.query<Row>({ name: "hearth-limits-take", text: TAKE, values: [...given] })).rows
    } catch (error) {
      // The database may come back empty, without the table.
      isCreated = false
      throw error
    }
  }

  return makeRateLimiter(
    withFallback("PostgreSQL", log, async (claims, hold): Promise<TakeResult> => {
      const names = claims.map(nameInStore)
      const points = claims.map((claim) => claim.points)
      const rows = await query([
        names,
        points,
        claims.map(({ limit }) => limit.points),
        claims.map(({ limit }) => limit.seconds),
        hold,
      ])
      clean()
      const expires = rows.map(({ expire }) => expire)
      const settle = (isCounted: boolean) => {
        const values = [names, points, expires, isCounted]
        return settleInStore(() => pool.query({ name: "hearth-limits-settle", text: SETTLE, values }))
      }
      const taken = rows[0]?.taken === true
      return { taken, states: rows, settle: taken && hold ? settle : () => Effect.void }
    }),
  )
}
