import {
  credentialsModule,
  type Log,
  type OpenQueue,
  type OpenRateLimiter,
  type Postgres,
  postgresModule,
  redisModule,
  Services,
  systemModule,
  type TokenKeys,
  withoutRedisModule,
} from "@hearth/adapters"
import { createEngagement, type Engagement, type Ports, type Signals, type Tokens } from "@hearth/core"
import { Effect } from "effect"
import { Container } from "inversify"
import type { ServerConfig } from "./config.ts"

/** What a server process consists of. */
export interface ServerParts {
  readonly core: Engagement
  readonly postgres: Postgres
  readonly queue: OpenQueue
  readonly limits: OpenRateLimiter
  readonly tokens: Tokens
  readonly ids: Ports["ids"]
  /** Closes queue, limits and database, in this order. */
  close(): Promise<void>
}

/** The composition root of the server: binds the adapters that the configuration asks for. */
export const composeServer = async (
  config: ServerConfig,
  databaseUrl: string,
  keys: TokenKeys,
  log: Log,
  signals: Signals,
): Promise<ServerParts> => {
  const { issuer, lifetimes, passwordHash, redisUrl } = config
  const container = new Container({ defaultScope: "Singleton" })
  container.load(
    systemModule(log, signals),
    postgresModule(databaseUrl),
    redisUrl === null ? withoutRedisModule() : redisModule(redisUrl),
    credentialsModule({ keys, issuer, lifetimes }, { algorithm: passwordHash }),
  )
  const postgres = await container.getAsync(Services.Postgres)
  const queue = await container.getAsync(Services.Queue)
  const limits = await container.getAsync(Services.Limits)
  const tokens = container.get(Services.Tokens)
  const ids = container.get(Services.Ids)
  const core = createEngagement({
    clock: container.get(Services.Clock),
    control: postgres.control,
    ids,
    passwords: container.get(Services.Passwords),
    signals: container.get(Services.Signals),
    tenants: postgres.tenants,
    tokens,
    workflows: queue.runner,
  })
  return {
    core,
    postgres,
    queue,
    limits,
    tokens,
    ids,
    close: async () => {
      await Effect.runPromise(queue.close())
      await limits.close()
      await Effect.runPromise(postgres.close())
    },
  }
}
