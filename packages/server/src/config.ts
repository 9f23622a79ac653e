import { resolve } from "node:path"
import {
  BaseAddress,
  backingSettings,
  choice,
  type Environment,
  type IdentityProviderSettings,
  identitySettings,
  isLeftOut,
  type LogOptions,
  type MailConfig,
  mailSettings,
  mediaSettings,
  optional,
  Port,
  type PushAddresses,
  pushSettings,
  readRetention,
  readSettings,
  retentionSettings,
  secretSettings,
  storageSettings,
  tokenKeySettings,
  withDefault,
} from "@hearth/adapters"
import type { IdentityProvider } from "@hearth/core"
import type { LimitSettings } from "@hearth/core/limits"
import type { LiveSettings } from "@hearth/core/live"
import type { MediaLimits } from "@hearth/core/media"
import type { RetentionSettings } from "@hearth/core/retention"
import { workerSettings } from "@hearth/worker"
import { Duration, Result, Schema, SchemaGetter } from "effect"
import { parseTrustProxy, type TrustProxy } from "./http/request/address.ts"
import { limitSettings, readLimits, readStreamLimits } from "./limit-settings.ts"

const lifetime = /^\d{1,9} (seconds?|minutes?|hours?|days?)$/
const [shortest, longest] = [Duration.seconds(1), Duration.days(3_650)]

const isLifetime = (value: string): boolean => {
  if (!lifetime.test(value)) return false
  const duration = Duration.fromInputUnsafe(value as Duration.Input)
  return Duration.isGreaterThanOrEqualTo(duration, shortest) && Duration.isLessThanOrEqualTo(duration, longest)
}

const Lifetime = Schema.String.check(
  Schema.makeFilter(
    (value: string) =>
      isLifetime(value) || "must be a time like 15 minutes, 1 hour or 60 days, from 1 second to 3650 days",
  ),
).pipe(
  Schema.decodeTo(Schema.Duration, {
    decode: SchemaGetter.transform((value: string) => Duration.fromInputUnsafe(value as Duration.Input)),
    encode: SchemaGetter.transform((value: Duration.Duration) => String(value)),
  }),
)

const Proxies = Schema.String.check(
  Schema.makeFilter(
    (value: string) =>
      parseTrustProxy(value) !== null || "must be off, a number of proxies, or networks with commas between",
  ),
)

/** The settings of the server [F2]. */
const serverSettings = {
  PORT: withDefault("The port of the API.", Port, 8080),
  ...backingSettings,
  DATA_DIR: withDefault(
    "Where the service keeps its own database and its keys, when DATABASE_URL is not set, and the files of media, when STORAGE_URL is not set.",
    Schema.NonEmptyString,
    "./data",
  ),
  ...storageSettings,
  ...mediaSettings,
  ...tokenKeySettings,
  ...secretSettings,
  PUBLIC_URL: optional(
    "The address under which the outside reaches the service. It is the issuer of tokens: a change of it ends all sessions.",
    BaseAddress,
    "https://api.example",
  ),
  TRUST_PROXY: withDefault(
    "Whose X-Forwarded-For and X-Forwarded-Host count: off, the number of proxies in front, or their networks (10.0.0.0/8,…).",
    Proxies,
    "off",
  ),
  PASSWORD_HASH: withDefault(
    "What new passwords are hashed with: argon2id or bcrypt.",
    choice(["argon2id", "bcrypt"]),
    "argon2id",
  ),
  ...identitySettings,
  ...mailSettings,
  ...pushSettings,
  ...retentionSettings,
  MAGIC_LINK_REDIRECT_BASE_URL: optional(
    "Where every magic link points to, whoever asks for it.",
    BaseAddress,
    "https://app.example",
  ),
  APP_URL: withDefault(
    "Where a magic link points to that nothing else decides: the app's own address. Without DATABASE_URL this service, which has a page for it.",
    BaseAddress,
    "http://127.0.0.1:8080",
  ),
  SESSION_TOKEN_LIFETIME: withDefault("How long a session token holds.", Lifetime, Duration.hours(1), "1 hour"),
  REFRESH_TOKEN_LIFETIME: withDefault(
    "How long a user's refresh token holds, from each refresh.",
    Lifetime,
    Duration.days(60),
    "60 days",
  ),
  DEVELOPER_TOKEN_LIFETIME: withDefault(
    "How long a developer's access token holds.",
    Lifetime,
    Duration.minutes(15),
    "15 minutes",
  ),
  DEVELOPER_REFRESH_TOKEN_LIFETIME: withDefault(
    "How long a developer's refresh token holds.",
    Lifetime,
    Duration.days(30),
    "30 days",
  ),
  ...limitSettings,
}

/** Everything that can be set, for server and worker: what `.env.example` is written from. */
export const allSettings = { ...serverSettings, ...workerSettings }

type Values = ReturnType<typeof read> extends Result.Result<infer A, unknown> ? A : never

const read = (environment: Environment) => readSettings(serverSettings, environment)

/** The configuration of the server. */
export interface ServerConfig {
  readonly port: number
  readonly host: string
  /** The absolute path of DATA_DIR. */
  readonly dataDir: string
  readonly databaseUrl: string | null
  readonly redisUrl: string | null
  readonly jwtKeys: string | null
  /** Where files are kept; null is a folder in DATA_DIR. */
  readonly storageUrl: string | null
  /** How much projects may store. */
  readonly media: MediaLimits
  /** The address under which the outside reaches the service; null is that of each request. */
  readonly publicUrl: string | null
  /** The keys of SECRETS_KEY; null where they are kept in DATA_DIR. */
  readonly secretKeys: string | null
  /** Whether it starts although secrets need a key that is lost. */
  readonly forgetsLostSecrets: boolean
  readonly issuer: string
  readonly trustProxy: TrustProxy
  readonly passwordHash: "argon2id" | "bcrypt"
  readonly log: Pick<LogOptions, "level" | "format">
  readonly providers: Readonly<Record<IdentityProvider, IdentityProviderSettings>>
  readonly mail: MailConfig
  readonly push: PushAddresses
  readonly retention: RetentionSettings
  /** The service's own hosts, as far as they are known. */
  readonly hosts: ReadonlyArray<string>
  readonly limits: LimitSettings
  /** How many streams there may be. */
  readonly live: LiveSettings
  /** Where magic links point to, beside what a project allows. */
  readonly magicLinks: { readonly fixed: string | null; readonly app: string }
  readonly lifetimes: {
    readonly session: Duration.Duration
    readonly refresh: Duration.Duration
    readonly developer_access: Duration.Duration
    readonly developer_refresh: Duration.Duration
  }
}

const neededWithDatabase = {
  JWT_KEYS: "so that all servers accept each other's tokens; `hearth keys` makes them",
  SECRETS_KEY: "so that servers and workers can read the secrets of integrations; `hearth keys` makes one",
} as const

/** What a server needs that shares its database with others. */
const findMissing = (environment: Environment): ReadonlyArray<string> =>
  Object.entries(neededWithDatabase)
    .filter(([name]) => !isLeftOut(environment, "DATABASE_URL") && isLeftOut(environment, name))
    .map(([name, reason]) => `${name}: needed with DATABASE_URL, ${reason}.`)

/** Where links point to that nothing else decides: while the database is embedded, to the page of this service for them. */
const chooseApp = (values: Values, environment: Environment): string =>
  values.DATABASE_URL === null && values.PORT !== 0 && isLeftOut(environment, "APP_URL")
    ? `http://127.0.0.1:${values.PORT}`
    : values.APP_URL

const makeConfig = (values: Values, environment: Environment): ServerConfig => ({
  port: values.PORT,
  host: values.HOST,
  dataDir: resolve(values.DATA_DIR),
  databaseUrl: values.DATABASE_URL,
  redisUrl: values.REDIS_URL,
  jwtKeys: values.JWT_KEYS,
  storageUrl: values.STORAGE_URL,
  media: { maxBytes: values.MEDIA_MAX_BYTES, quotaBytes: values.MEDIA_QUOTA_BYTES },
  publicUrl: values.PUBLIC_URL,
  secretKeys: values.SECRETS_KEY,
  forgetsLostSecrets: values.SECRETS_KEY_LOST === "forget",
  issuer: values.PUBLIC_URL ?? "hearth",
  trustProxy: parseTrustProxy(values.TRUST_PROXY) ?? false,
  passwordHash: values.PASSWORD_HASH,
  log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
  providers: {
    idp_a: { issuers: values.IDP_A_ISSUERS, jwksUrl: values.IDP_A_JWKS_URL },
    idp_b: { issuers: values.IDP_B_ISSUERS, jwksUrl: values.IDP_B_JWKS_URL },
  },
  mail: { smtpUrl: values.SMTP_URL, from: values.MAIL_FROM },
  push: { push_a: values.PUSH_A_URL, push_b: values.PUSH_B_URL },
  retention: readRetention(values),
  hosts: values.PUBLIC_URL === null ? [] : [new URL(values.PUBLIC_URL).hostname],
  limits: readLimits(values, values.DATABASE_URL === null),
  live: readStreamLimits(values),
  magicLinks: { fixed: values.MAGIC_LINK_REDIRECT_BASE_URL, app: chooseApp(values, environment) },
  lifetimes: {
    session: values.SESSION_TOKEN_LIFETIME,
    refresh: values.REFRESH_TOKEN_LIFETIME,
    developer_access: values.DEVELOPER_TOKEN_LIFETIME,
    developer_refresh: values.DEVELOPER_REFRESH_TOKEN_LIFETIME,
  },
})

/** Reads the configuration of the server from its environment; or all problems with it, a sentence each. */
export const readServerConfig = (environment: Environment): Result.Result<ServerConfig, ReadonlyArray<string>> => {
  const values = read(environment)
  const problems = [...(Result.isFailure(values) ? values.failure : []), ...findMissing(environment)]
  return Result.isSuccess(values) && problems.length === 0
    ? Result.succeed(makeConfig(values.success, environment))
    : Result.fail(problems)
}
