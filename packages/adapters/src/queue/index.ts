export { inspectRedis, type RedisReport } from "./inspect-redis.ts"
export type { QueueLog } from "./log.ts"
export { type OpenQueue, openQueue, type QueueOptions, type Served } from "./open-queue.ts"
