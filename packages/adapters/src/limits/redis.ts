import { randomUUID } from "node:crypto"
import type { RateLimiter } from "@hearth/core"
import { type CounterState, makeRateLimiter, type TakeResult } from "@hearth/core/limits"
import { Effect } from "effect"
import type { Redis } from "ioredis"
import { type LimitLog, settleInStore, withFallback } from "./fallback.ts"
import { nameInStore } from "./name-in-store.ts"

/**
 * Adds points to all counters, or to none. A counter is a hash: `n` points, `h` of them held, `w` the name of its window.
 * Arguments: 1 to hold, the name for new windows, then points, limit and seconds of each key.
 */
const TAKE = `
local fits = 1
for i = 1, #KEYS do
  local points = tonumber(redis.call('HGET', KEYS[i], 'n') or '0')
  if points + tonumber(ARGV[3 * i]) > tonumber(ARGV[3 * i + 1]) then fits = 0 end
end
local answer = { fits }
for i = 1, #KEYS do
  if redis.call('EXISTS', KEYS[i]) == 0 then
    redis.call('HSET', KEYS[i], 'n', 0, 'h', 0, 'w', ARGV[2])
    redis.call('EXPIRE', KEYS[i], ARGV[3 * i + 2])
  end
  if fits == 1 then
    redis.call('HINCRBY', KEYS[i], 'n', ARGV[3 * i])
    if ARGV[1] == '1' then redis.call('HINCRBY', KEYS[i], 'h', ARGV[3 * i]) end
  end
  local counter = redis.call('HMGET', KEYS[i], 'n', 'h', 'w')
  answer[i + 1] = { counter[1], counter[2], redis.call('PTTL', KEYS[i]), counter[3] }
end
return answer`

/** Ends an attempt in the windows that it took points from. Arguments: 1 to keep them, then points and window of each key. */
const SETTLE = `
for i = 1, #KEYS do
  if redis.call('HGET', KEYS[i], 'w') == ARGV[2 * i + 1] then
    redis.call('HINCRBY', KEYS[i], 'h', -ARGV[2 * i])
    if ARGV[1] == '0' then redis.call('HINCRBY', KEYS[i], 'n', -ARGV[2 * i]) end
  end
end`

type Row = readonly [points: string, held: string, leftMillis: number, window: string]

interface Commands {
  hearthTake(keys: number, ...given: ReadonlyArray<string | number>): Promise<readonly [number, ...ReadonlyArray<Row>]>
  hearthSettle(keys: number, ...given: ReadonlyArray<string | number>): Promise<unknown>
}

/**
 * Counts in Redis for all processes together, and in this process while Redis does not answer. The client connects by
 * itself (not `lazyConnect`); the caller closes it. Counters of different names are independent.
 */
export const redisRateLimiter = (client: Redis, log: LimitLog = () => {}, name = "hearth"): RateLimiter => {
  client.defineCommand("hearthTake", { lua: TAKE })
  client.defineCommand("hearthSettle", { lua: SETTLE })
  const commands = client as unknown as Commands

  return makeRateLimiter(
    withFallback("Redis", log, async (claims, hold): Promise<TakeResult> => {
      if (client.status !== "ready") throw new Error("Redis is not connected.")
      const keys = claims.map((claim) => `${name}:limits:${nameInStore(claim)}`)
      const given = claims.flatMap(({ points, limit }) => [points, limit.points, limit.seconds])
      const [fits, ...rows] = await commands.hearthTake(keys.length, ...keys, hold ? 1 : 0, randomUUID(), ...given)
      const settle = (isCounted: boolean) => {
        const held = claims.flatMap(({ points }, index) => [points, rows[index]?.[3] ?? ""])
        return settleInStore(() => commands.hearthSettle(keys.length, ...keys, isCounted ? 1 : 0, ...held))
      }
      const states = rows.map(
        ([points, held, left_millis]): CounterState => ({ points: Number(points), held: Number(held), left_millis }),
      )
      return { taken: fits === 1, states, settle: fits === 1 && hold ? settle : () => Effect.void }
    }),
  )
}
