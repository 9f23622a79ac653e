import type { Clock, Signals } from "@hearth/core"
import { Effect } from "effect"
import { ContainerModule, type ContainerModuleLoadOptions } from "inversify"
import {
  type IdentityVerifierSettings,
  joseIdentityVerifier,
  joseTokens,
  type TokenSettings,
} from "../identity/index.ts"
import { localRateLimiter, type OpenRateLimiter, openRateLimiter } from "../limits/index.ts"
import { type MailConfig, type OpenMail, openMail } from "../mail/index.ts"
import { type OpenStorage, openStorage, type StorageConfig } from "../media/index.ts"
import { nativePasswordHashers, type PasswordHasherSettings } from "../passwords/index.ts"
import { re2Patterns } from "../patterns/index.ts"
import { openPostgres, type Postgres, type PostgresOptions } from "../postgres/index.ts"
import { openPush, type PushConfig } from "../push/index.ts"
import { type OpenQueue, openQueue } from "../queue/index.ts"
import { aesSecretBox, nodeSignatures, type SecretKeys } from "../secrets/index.ts"
import { systemClock, systemIds } from "../system/index.ts"
import type { Log, LogFacts } from "../system/log.ts"
import { Services } from "./services.ts"

/** Clock, ids, log and signals. All other modules need them. */
export const systemModule = (log: Log, signals: Signals, clock: Clock = systemClock) =>
  new ContainerModule(({ bind }) => {
    bind(Services.Log).toConstantValue(log)
    bind(Services.Signals).toConstantValue(signals)
    bind(Services.Clock).toConstantValue(clock)
    bind(Services.Ids)
      .toResolvedValue((clock: Clock) => systemIds(clock), [Services.Clock])
      .inSingletonScope()
  })

/** How a PostgreSQL server is used, where it differs from the defaults. */
export type PostgresSizes = Pick<
  PostgresOptions,
  "connectionsPerTenant" | "controlConnections" | "controlDatabase" | "tenantConnections" | "tenantPrefix"
>

/** The control database and the databases of the projects, on one PostgreSQL server. `listens`: see `PostgresOptions`. */
export const postgresModule = (databaseUrl: string, listens: boolean, sizes: PostgresSizes = {}) =>
  new ContainerModule(({ bind }) => {
    bind(Services.Postgres)
      .toResolvedValue(
        (clock: Clock, log: Log) =>
          Effect.runPromise(
            openPostgres({
              ...sizes,
              databaseUrl,
              clock,
              listens,
              onWarning: (message, cause, facts) => log("warn", message, { ...facts, cause: String(cause) }),
              onProgress: (message, facts) => log("info", message, facts),
            }),
          ),
        [Services.Clock, Services.Log],
      )
      .inSingletonScope()
    bind(Services.Control)
      .toResolvedValue((postgres: Postgres) => postgres.control, [Services.Postgres])
      .inSingletonScope()
    bind(Services.Tenants)
      .toResolvedValue((postgres: Postgres) => postgres.tenants, [Services.Postgres])
      .inSingletonScope()
  })

const warnings = (log: Log) => (message: string, facts: LogFacts) => log("warn", message, facts)

const backing = ({ bind }: Pick<ContainerModuleLoadOptions, "bind">) => {
  bind(Services.Workflows)
    .toResolvedValue((queue: OpenQueue) => queue.runner, [Services.Queue])
    .inSingletonScope()
  bind(Services.RateLimiter)
    .toResolvedValue((open: OpenRateLimiter) => open.limiter, [Services.Limits])
    .inSingletonScope()
}

/** The queue and the rate limits, on Redis; under a `name` of their own where others may use it. */
export const redisModule = (redisUrl: string, name = "hearth") =>
  new ContainerModule(({ bind }) => {
    bind(Services.Queue)
      .toResolvedValue((log: Log) => openQueue({ redisUrl, name }, warnings(log)), [Services.Log])
      .inSingletonScope()
    bind(Services.Limits)
      .toResolvedValue((log: Log) => openRateLimiter({ redisUrl, name }, warnings(log)), [Services.Log])
      .inSingletonScope()
    backing({ bind })
  })

// A process that is alone shares its queue with nobody but the killed one before it, whose runs it takes over soon.
const lockMillisAlone = 5_000

/**
 * The queue, in the control database, and the rate limits: there too, or in this process where no other one serves callers. There
 * they cost no round trip, and begin anew with the process.
 */
export const withoutRedisModule = ({ isOnlyProcess }: { readonly isOnlyProcess: boolean }) =>
  new ContainerModule(({ bind }) => {
    bind(Services.Queue)
      .toResolvedValue(
        ({ controlUrl }: Postgres, log: Log) =>
          openQueue(
            { databaseUrl: controlUrl, ...(isOnlyProcess ? { lockMillis: lockMillisAlone } : {}) },
            warnings(log),
          ),
        [Services.Postgres, Services.Log],
      )
      .inSingletonScope()
    bind(Services.Limits)
      .toResolvedValue(
        ({ controlUrl }: Postgres, log: Log): OpenRateLimiter =>
          isOnlyProcess
            ? { limiter: localRateLimiter(), close: async () => {} }
            : openRateLimiter({ databaseUrl: controlUrl }, warnings(log)),
        [Services.Postgres, Services.Log],
      )
      .inSingletonScope()
    backing({ bind })
  })

/** How credentials are made and checked. */
export interface CredentialsConfig {
  readonly tokens: Omit<TokenSettings, "clock">
  readonly passwords: PasswordHasherSettings
  readonly providers: IdentityVerifierSettings["providers"]
}

/** Our own tokens, passwords, and the tokens of the identity providers. */
export const credentialsModule = ({ tokens, passwords, providers }: CredentialsConfig) =>
  new ContainerModule(({ bind }) => {
    bind(Services.Tokens)
      .toResolvedValue((clock: Clock) => joseTokens({ ...tokens, clock }), [Services.Clock])
      .inSingletonScope()
    bind(Services.Passwords).toConstantValue(nativePasswordHashers(passwords))
    bind(Services.Identities)
      .toResolvedValue(
        (clock: Clock, log: Log) => joseIdentityVerifier({ clock, providers, log }),
        [Services.Clock, Services.Log],
      )
      .inSingletonScope()
  })

/** What encrypts the secrets of integrations, and checks signatures. */
export const secretsModule = (keys: SecretKeys) =>
  new ContainerModule(({ bind }) => {
    bind(Services.Secrets).toConstantValue(aesSecretBox(keys))
    bind(Services.Signatures).toConstantValue(nodeSignatures)
  })

/** The mailer: over the configured mail server, or the development outbox. */
export const mailModule = (config: MailConfig) =>
  new ContainerModule(({ bind }) => {
    bind(Services.Mail)
      .toResolvedValue(
        (clock: Clock, log: Log) => openMail(config, clock, warnings(log)),
        [Services.Clock, Services.Log],
      )
      .inSingletonScope()
    bind(Services.Mailer)
      .toResolvedValue((open: OpenMail) => open.mailer, [Services.Mail])
      .inSingletonScope()
  })

/** What matches the patterns of moderation rules. */
export const patternsModule = new ContainerModule(({ bind }) => {
  bind(Services.Patterns)
    .toResolvedValue((signals: Signals) => re2Patterns(signals), [Services.Signals])
    .inSingletonScope()
})
/** The storage of files: on this machine, or one that speaks S3. */
export const storageModule = (config: StorageConfig) =>
  new ContainerModule(({ bind }) => {
    bind(Services.Storage)
      .toResolvedValue((log: Log): Promise<OpenStorage> => openStorage(config, log), [Services.Log])
      .inSingletonScope()
  })

/** The push gateway: over the providers' servers, with the development gateway where the service is embedded. */
export const pushModule = (config: PushConfig) =>
  new ContainerModule(({ bind }) => {
    bind(Services.Push)
      .toResolvedValue(
        (clock: Clock, signals: Signals) => openPush(config, { clock, signals, inThread: true }),
        [Services.Clock, Services.Signals],
      )
      .inSingletonScope()
  })
