import type { Clock, Ports, Signals } from "@hearth/core"
import { Effect } from "effect"
import { Container } from "inversify"
import type { OpenRateLimiter } from "../limits/index.ts"
import type { MailConfig, OpenMail } from "../mail/index.ts"
import type { StorageConfig } from "../media/index.ts"
import type { Postgres } from "../postgres/index.ts"
import type { OpenPush, PushConfig } from "../push/index.ts"
import type { OpenQueue } from "../queue/index.ts"
import type { SecretKeys } from "../secrets/index.ts"
import type { Log } from "../system/log.ts"
import {
  type CredentialsConfig,
  credentialsModule,
  mailModule,
  type PostgresSizes,
  patternsModule,
  postgresModule,
  pushModule,
  redisModule,
  secretsModule,
  storageModule,
  systemModule,
  withoutRedisModule,
} from "./modules.ts"
import { Services } from "./services.ts"

/** How the ports of a process that answers callers are opened. */
export interface PortSettings {
  readonly databaseUrl: string
  readonly postgres?: PostgresSizes
  /** The Redis of queue and rate limits; null keeps both in PostgreSQL. */
  readonly redisUrl: string | null
  /** What its keys in Redis begin with, where others use the same: all processes of an installation say the same. `hearth` by default. */
  readonly redisName?: string
  /** Whether no other process answers callers: without Redis, rate limits then live in this process. */
  readonly isOnlyProcess: boolean
  readonly credentials: CredentialsConfig
  readonly secretKeys: SecretKeys
  readonly mail: MailConfig
  readonly push: PushConfig
  readonly storage: Pick<StorageConfig, "url" | "dataDir">
  readonly log: Log
  readonly signals: Signals
  /** The clock of all ports. The system's by default. */
  readonly clock?: Clock
}

/** Every port of the core, with what is behind them. */
export interface OpenPorts {
  readonly ports: Ports
  readonly postgres: Postgres
  readonly queue: OpenQueue
  readonly limits: OpenRateLimiter
  readonly mail: OpenMail
  readonly push: OpenPush
  /** Closes queue, limits, mail, push, storage and database, in this order. */
  close(): Promise<void>
}

type Closer = () => unknown

const makeContainer = (settings: PortSettings): Container => {
  const { isOnlyProcess, redisUrl, redisName } = settings
  const container = new Container({ defaultScope: "Singleton" })
  container.load(
    systemModule(settings.log, settings.signals, settings.clock),
    postgresModule(settings.databaseUrl, true, settings.postgres),
    redisUrl === null ? withoutRedisModule({ isOnlyProcess }) : redisModule(redisUrl, redisName),
    credentialsModule(settings.credentials),
    mailModule(settings.mail),
    pushModule(settings.push),
    secretsModule(settings.secretKeys),
    patternsModule,
    storageModule({ ...settings.storage, servesFiles: true, isOnlyProcess }),
  )
  return container
}

const openAll = async (container: Container, closers: Array<Closer>): Promise<Omit<OpenPorts, "close">> => {
  const postgres = await container.getAsync(Services.Postgres)
  closers.push(() => Effect.runPromise(postgres.close()))
  const storage = await container.getAsync(Services.Storage)
  closers.push(() => storage.close())
  const push = container.get(Services.Push)
  closers.push(() => push.close())
  const mail = await container.getAsync(Services.Mail)
  closers.push(() => mail.close())
  const limits = await container.getAsync(Services.Limits)
  closers.push(() => limits.close())
  const queue = await container.getAsync(Services.Queue)
  closers.push(() => Effect.runPromise(queue.close()))
  const ports: Ports = {
    clock: container.get(Services.Clock),
    control: postgres.control,
    identities: container.get(Services.Identities),
    ids: container.get(Services.Ids),
    limiter: limits.limiter,
    mailer: mail.mailer,
    news: postgres.news,
    passwords: container.get(Services.Passwords),
    patterns: container.get(Services.Patterns),
    push: push.gateway,
    revocations: postgres.revocations,
    secrets: container.get(Services.Secrets),
    signals: container.get(Services.Signals),
    signatures: container.get(Services.Signatures),
    storage: storage.storage,
    tenants: postgres.tenants,
    tokens: container.get(Services.Tokens),
    workflows: queue.runner,
  }
  return { ports, postgres, queue, limits, mail, push }
}

/** Opens every port of the core. What was opened before one cannot be is closed again, and it rejects. */
export const openPorts = async (settings: PortSettings): Promise<OpenPorts> => {
  const closers: Array<Closer> = []
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer()
  }
  try {
    return { ...(await openAll(makeContainer(settings), closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}
