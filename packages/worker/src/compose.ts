import {
  type Log,
  type OpenQueue,
  type Postgres,
  postgresModule,
  pushModule,
  redisModule,
  type SecretKeys,
  Services,
  secretsModule,
  storageModule,
  systemModule,
  withoutRedisModule,
} from "@hearth/adapters"
import type { Background, Signals } from "@hearth/core"
import { createBackground } from "@hearth/core"
import { Effect } from "effect"
import { Container } from "inversify"
import type { WorkerConfig } from "./config.ts"

/** The parts of a worker process. */
export interface WorkerParts {
  readonly postgres: Postgres
  readonly queue: OpenQueue
  readonly background: Background
  /** Closes queue, push, storage and database, in this order. */
  close(): Promise<void>
}

/** The composition root of the worker: binds the adapters that the configuration asks for. */
export const composeWorker = async (
  config: Pick<WorkerConfig, "databaseUrl" | "redisUrl" | "push" | "retention" | "storageUrl" | "dataDir">,
  secretKeys: SecretKeys,
  log: Log,
  signals: Signals,
): Promise<WorkerParts> => {
  const container = new Container({ defaultScope: "Singleton" })
  container.load(
    systemModule(log, signals),
    // It remembers nothing about callers, but has to hear to which projects somebody listens.
    postgresModule(config.databaseUrl, true),
    config.redisUrl === null ? withoutRedisModule({ isOnlyProcess: false }) : redisModule(config.redisUrl),
    pushModule({ addresses: config.push, development: false }),
    secretsModule(secretKeys),
    storageModule({
      ...{ url: config.storageUrl, dataDir: config.dataDir },
      ...{ servesFiles: false, isOnlyProcess: false },
    }),
  )
  const postgres = await container.getAsync(Services.Postgres)
  const queue = await container.getAsync(Services.Queue)
  const push = container.get(Services.Push)
  const storage = await container.getAsync(Services.Storage)
  const ports = {
    clock: container.get(Services.Clock),
    control: await container.getAsync(Services.Control),
    ids: container.get(Services.Ids),
    push: push.gateway,
    revocations: postgres.revocations,
    secrets: container.get(Services.Secrets),
    signals: container.get(Services.Signals),
    storage: storage.storage,
    tenants: await container.getAsync(Services.Tenants),
    workflows: await container.getAsync(Services.Workflows),
  }
  const background = createBackground(ports, { retention: config.retention })
  return {
    postgres,
    queue,
    background,
    close: async () => {
      await Effect.runPromise(queue.close())
      await push.close()
      storage.close()
      await Effect.runPromise(postgres.close())
    },
  }
}
