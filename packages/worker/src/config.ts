import { resolve } from "node:path"
import {
  backingSettings,
  type Environment,
  isLeftOut,
  type LogOptions,
  optional,
  Port,
  type PushAddresses,
  pushSettings,
  readRetention,
  readSettings,
  retentionSettings,
  secretSettings,
  storageSettings,
  withDefault,
} from "@hearth/adapters"
import type { RetentionSettings } from "@hearth/core/retention"
import { Result, Schema } from "effect"

/** The settings of a worker process. */
export const workerSettings = {
  ...backingSettings,
  ...pushSettings,
  ...secretSettings,
  ...retentionSettings,
  ...storageSettings,
  DATA_DIR: withDefault(
    "Where the service keeps its own database and its keys, when DATABASE_URL is not set, and the files of media, when STORAGE_URL is not set.",
    Schema.NonEmptyString,
    "./data",
  ),
  WORKER_PORT: optional(
    "Where a worker answers /health/live, /health/ready and /metrics, on HOST; nowhere when left out.",
    Port,
    "9091",
  ),
}

/** The configuration of a worker process. */
export interface WorkerConfig {
  readonly databaseUrl: string
  readonly redisUrl: string | null
  readonly log: Pick<LogOptions, "level" | "format">
  readonly host: string
  readonly port: number | null
  readonly push: PushAddresses
  readonly retention: RetentionSettings
  readonly storageUrl: string | null
  /** The absolute path of DATA_DIR: where files are without `storageUrl`. */
  readonly dataDir: string
  /** The keys of SECRETS_KEY. */
  readonly secretKeys: string
  /** Whether it starts although secrets need a key that is lost. */
  readonly forgetsLostSecrets: boolean
}

const needed = {
  DATABASE_URL: "a worker needs the database of its server. (Without one, the server runs the worker itself.)",
  SECRETS_KEY: "a worker needs the keys of its server, to read the secrets of integrations.",
}

/** Reads the configuration of a worker from its environment. Fails with all problems, a sentence each. */
export const readWorkerConfig = (environment: Environment): Result.Result<WorkerConfig, ReadonlyArray<string>> => {
  const read = readSettings(workerSettings, environment)
  const missing = Object.entries(needed).filter(([name]) => isLeftOut(environment, name))
  const problems = [
    ...(Result.isFailure(read) ? read.failure : []),
    ...missing.map(([name, reason]) => `${name}: ${reason}`),
  ]
  if (Result.isFailure(read) || problems.length > 0) return Result.fail(problems)
  const values = read.success
  return Result.succeed({
    databaseUrl: values.DATABASE_URL ?? "",
    secretKeys: values.SECRETS_KEY ?? "",
    redisUrl: values.REDIS_URL,
    log: { level: values.LOG_LEVEL, format: values.LOG_FORMAT },
    host: values.HOST,
    port: values.WORKER_PORT,
    storageUrl: values.STORAGE_URL,
    dataDir: resolve(values.DATA_DIR),
    push: { push_a: values.PUSH_A_URL, push_b: values.PUSH_B_URL },
    retention: readRetention(values),
    forgetsLostSecrets: values.SECRETS_KEY_LOST === "forget",
  })
}
