import {
  credentialsModule,
  type Log,
  mailModule,
  type OpenMail,
  type OpenPush,
  type OpenQueue,
  type OpenRateLimiter,
  type Postgres,
  patternsModule,
  postgresModule,
  pushModule,
  redisModule,
  type SecretKeys,
  Services,
  secretsModule,
  storageModule,
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
  readonly mail: OpenMail
  readonly push: OpenPush
  readonly tokens: Tokens
  readonly ids: Ports["ids"]
  /** Closes queue, limits, mail, push, storage and database, in this order. */
  close(): Promise<void>
}

/** The keys of a server: those that sign its tokens, and those that encrypt the secrets of integrations. */
export interface ServerKeys {
  readonly tokens: TokenKeys
  readonly secrets: SecretKeys
}

/** The composition root of the server: binds the adapters that the configuration asks for. */
export const composeServer = async (
  config: ServerConfig,
  databaseUrl: string,
  keys: ServerKeys,
  log: Log,
  signals: Signals,
): Promise<ServerParts> => {
  const { issuer, lifetimes, passwordHash, providers, redisUrl } = config
  const container = new Container({ defaultScope: "Singleton" })
  container.load(
    systemModule(log, signals),
    postgresModule(databaseUrl, true),
    redisUrl === null ? withoutRedisModule({ isOnlyProcess: config.databaseUrl === null }) : redisModule(redisUrl),
    credentialsModule({
      tokens: { keys: keys.tokens, issuer, lifetimes },
      passwords: { algorithm: passwordHash },
      providers,
    }),
    mailModule(config.mail),
    pushModule({ addresses: config.push, development: config.databaseUrl === null }),
    secretsModule(keys.secrets),
    patternsModule,
    storageModule({
      ...{ url: config.storageUrl, dataDir: config.dataDir },
      ...{ servesFiles: true, isOnlyProcess: config.databaseUrl === null },
    }),
  )
  const postgres = await container.getAsync(Services.Postgres)
  const queue = await container.getAsync(Services.Queue)
  const limits = await container.getAsync(Services.Limits)
  const mail = await container.getAsync(Services.Mail)
  const push = container.get(Services.Push)
  const storage = await container.getAsync(Services.Storage)
  const tokens = container.get(Services.Tokens)
  const ids = container.get(Services.Ids)
  const ports: Ports = {
    clock: container.get(Services.Clock),
    control: postgres.control,
    identities: container.get(Services.Identities),
    ids,
    limiter: limits.limiter,
    mailer: mail.mailer,
    passwords: container.get(Services.Passwords),
    patterns: container.get(Services.Patterns),
    push: push.gateway,
    revocations: postgres.revocations,
    secrets: container.get(Services.Secrets),
    signals: container.get(Services.Signals),
    signatures: container.get(Services.Signatures),
    storage: storage.storage,
    tenants: postgres.tenants,
    tokens,
    workflows: queue.runner,
  }
  // Links may point to loopback addresses only while the service is embedded, on the same machine [B11].
  const magicLinks = { ...config.magicLinks, allowLoopback: config.databaseUrl === null }
  const { hosts, limits: limitSettings, push: addresses, retention } = config
  const options = {
    magicLinks,
    hosts,
    limits: limitSettings,
    pushBUrl: addresses.push_b,
    media: config.media,
    retention,
  }
  const core = createEngagement(ports, options)
  return {
    core,
    postgres,
    queue,
    limits,
    mail,
    push,
    tokens,
    ids,
    close: async () => {
      await Effect.runPromise(queue.close())
      await limits.close()
      await mail.close()
      await push.close()
      storage.close()
      await Effect.runPromise(postgres.close())
    },
  }
}
