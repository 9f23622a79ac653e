export { isAlive, mayReach } from "./processes.ts"
export { databaseUrl, freePort, hasRedis, startRedis, type TestRedis } from "./services.ts"
