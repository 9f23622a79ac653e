export {
  credentialsModule,
  mailModule,
  postgresModule,
  redisModule,
  systemModule,
  withoutRedisModule,
} from "./modules.ts"
export { Services } from "./services.ts"
