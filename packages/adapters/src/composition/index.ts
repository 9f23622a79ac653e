export {
  credentialsModule,
  mailModule,
  patternsModule,
  postgresModule,
  pushModule,
  redisModule,
  secretsModule,
  storageModule,
  systemModule,
  withoutRedisModule,
} from "./modules.ts"
export { Services } from "./services.ts"
