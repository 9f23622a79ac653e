export { freePort } from "./free-port.ts"
export { isAlive, mayReach } from "./processes.ts"
export type { TestRedis } from "./redis.ts"
export { databaseUrl, hasRedis, hasSharedRedis, openSharedRedis, startRedis } from "./services.ts"
