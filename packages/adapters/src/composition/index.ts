export { checkSecretKeys } from "./check-secret-keys.ts"
export {
  patternsModule,
  postgresModule,
  pushModule,
  redisModule,
  secretsModule,
  storageModule,
  systemModule,
  withoutRedisModule,
} from "./modules.ts"
export { type OpenPorts, openPorts, type PortSettings } from "./open-ports.ts"
export {
  createPostgresEngagement,
  type PostgresEngagement,
  type PostgresEngagementOptions,
} from "./postgres-engagement.ts"
export { Services } from "./services.ts"
export { startWorker, type Worker } from "./start-worker.ts"
export { type ClockWatch, clockLimitMillis, watchClock } from "./watch-clock.ts"
