import { Redis } from "ioredis"

/** What a Redis is, as far as the queue depends on it. */
export interface RedisReport {
  readonly version: string
  /** `noeviction` is the only one with which the queue loses nothing when memory is short. Null where it may not be asked. */
  readonly evictionPolicy: string | null
  /** Whether it writes to a disk: snapshots or a log. Null where it may not be asked. */
  readonly persists: boolean | null
  /** Why it takes no writes, as it says it; null where it takes them. */
  readonly refusal: string | null
}

/** Looks at a Redis, and writes a key that is gone after a second. Rejects where it cannot be reached. */
export const inspectRedis = async (url: string): Promise<RedisReport> => {
  const redis = new Redis(url, {
    lazyConnect: true,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
  })
  let reason: unknown = null
  redis.on("error", (error) => {
    reason = error
  })
  try {
    await redis.connect()
    // The client only tells that the database of its address is not there, and goes on with the first one.
    if (reason !== null) throw reason
    const info = await redis.info()
    const read = (name: string) => new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? null
    // Services in a cloud have no CONFIG.
    const saves = await redis.config("GET", "save").then(
      (found) => (found as ReadonlyArray<string>)[1] ?? "",
      () => null,
    )
    const refusal = await redis.set("{hearth}:doctor", "", "PX", 1_000).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    return {
      refusal,
      version: read("redis_version") ?? "unknown",
      evictionPolicy: read("maxmemory_policy"),
      persists: saves === null ? null : saves !== "" || read("aof_enabled") === "1",
    }
  } catch (error) {
    throw reason ?? error
  } finally {
    redis.disconnect()
  }
}
