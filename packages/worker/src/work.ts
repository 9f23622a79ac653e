import { jsonLog } from "@hearth/adapters"
import { Result } from "effect"
import { collectDefaultMetrics, Registry } from "prom-client"
import { registerBackingMetrics } from "./backing-metrics.ts"
import { composeWorker } from "./compose.ts"
import { readWorkerConfig } from "./config.ts"
import { startOperatorServer } from "./operator-server.ts"
import { requireAnswer } from "./readiness.ts"
import { countSignals } from "./signal-counts.ts"
import { startWorker } from "./start-worker.ts"

const run = async () => {
  const read = readWorkerConfig(process.env)
  if (Result.isFailure(read)) {
    for (const problem of read.failure) console.error(problem)
    process.exit(1)
  }
  const config = read.success
  const log = jsonLog(config.logLevel)
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const parts = await composeWorker(config, log, countSignals(registry, log))
  registerBackingMetrics(registry, parts)
  const operators =
    config.port === null
      ? null
      : await startOperatorServer(config.port, registry, [
          { dependency: "control-database", find: requireAnswer(parts.postgres.ping()) },
          // The poll finds what the queue was not told of: work is later, and nothing is lost.
          { dependency: "queue", find: requireAnswer(parts.queue.ping()), otherwise: "degraded" },
        ])
  const worker = await startWorker(parts.background, parts.queue, log)
  log("info", "worker started", { operators: operators?.url ?? null })

  const stop = async () => {
    await worker.drain()
    await operators?.close()
    await parts.close()
    log("info", "worker stopped")
    process.exit(0)
  }
  process.once("SIGTERM", stop)
  process.once("SIGINT", stop)
}

/** Runs a worker until SIGTERM or SIGINT. An error at the start is printed in one sentence and exits with 1. */
export const work = (): Promise<void> =>
  run().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  })
