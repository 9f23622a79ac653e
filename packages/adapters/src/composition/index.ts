export {
  credentialsModule,
  mailModule,
  postgresModule,
  pushModule,
  redisModule,
  systemModule,
  withoutRedisModule,
} from "./modules.ts"
export { Services } from "./services.ts"
