import {
  backingSettings,
  type Environment,
  optional,
  Port,
  type PushAddresses,
  pushSettings,
  readSettings,
} from "@hearth/adapters"
import { Result } from "effect"

/** The settings of a worker process. */
export const workerSettings = {
  ...backingSettings,
  ...pushSettings,
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
  readonly logLevel: "debug" | "info" | "warn" | "error"
  readonly port: number | null
  readonly push: PushAddresses
}

/** Reads the configuration of a worker from its environment. Fails with all problems, a sentence each. */
export const readWorkerConfig = (environment: Environment): Result.Result<WorkerConfig, ReadonlyArray<string>> =>
  Result.flatMap(readSettings(workerSettings, environment), (values) =>
    values.DATABASE_URL === null
      ? Result.fail([
          "DATABASE_URL: a worker needs the database of its server. (Without one, the server runs the worker itself.)",
        ])
      : Result.succeed({
          databaseUrl: values.DATABASE_URL,
          redisUrl: values.REDIS_URL,
          logLevel: values.LOG_LEVEL,
          port: values.WORKER_PORT,
          push: { push_a: values.PUSH_A_URL, push_b: values.PUSH_B_URL },
        }),
  )
