import { inject } from "vitest"
import { startRedisContainer } from "./docker/containers.ts"
import { hasRedisServer, startLocalRedis } from "./local/redis.ts"
import type { ProvidedServices } from "./provided.ts"
import type { TestRedis } from "./redis.ts"

/** Absent in a run whose projects have no global setup. Fault runs are no test run: they start what they need from this machine. */
const services: (Omit<ProvidedServices, "databaseUrl"> & { readonly databaseUrl?: string }) | undefined =
  process.env["VITEST"] === undefined
    ? { redisUrl: null, redis: hasRedisServer() ? "local" : null }
    : inject("services")

/** The PostgreSQL of this test run: a superuser's URL. Fails in a run that starts none. */
export const databaseUrl = (): string => {
  if (services?.databaseUrl === undefined)
    throw new Error("This run has no PostgreSQL: its project lacks the global setup.")
  return services.databaseUrl
}

/** Whether a test can start a Redis of its own. Without one its suite is skipped. */
export const hasRedis: boolean = services !== undefined && services.redis !== null

/** Starts an empty Redis for one test or one file, which it may stop and freeze. Null when none can be started. */
export const startRedis = async (): Promise<TestRedis | null> => {
  if (services === undefined || services.redis === null) return null
  return services.redis === "docker" ? startRedisContainer() : startLocalRedis()
}

/** Whether there is a Redis to use: the one that `REDIS_URL` names, or one that a test can start. */
export const hasSharedRedis: boolean = hasRedis || (services?.redisUrl ?? null) !== null

/** A Redis that others may use at the same time: the one that `REDIS_URL` names, or one of the caller's own. */
export const openSharedRedis = async (): Promise<{ readonly url: string; close(): Promise<void> }> => {
  const given = services?.redisUrl ?? null
  if (given !== null) return { url: given, close: async () => {} }
  const redis = await startRedis()
  if (redis === null) throw new Error("There is no Redis.")
  return { url: redis.url, close: redis.stop }
}
