import { checkSecretKeys, jsonLog, type Log, loadSecretKeys, readEnvironment, startWorker } from "@hearth/adapters"
import { Effect, Result } from "effect"
import { collectDefaultMetrics, Registry } from "prom-client"
import { registerBackingMetrics } from "./backing-metrics.ts"
import { composeWorker } from "./compose.ts"
import { readWorkerConfig, type WorkerConfig } from "./config.ts"
import { giveBackMemoryWhenIdle } from "./give-back-memory.ts"
import { startOperatorServer } from "./operator-server.ts"
import { checkProjectDatabases } from "./project-databases.ts"
import { requireAnswer } from "./readiness.ts"
import { countSignals } from "./signal-counts.ts"
import { type StopStep, stopMillis, takeStopSteps, waitForStart, whenAborted } from "./stop-steps.ts"

const start = async (config: WorkerConfig, log: Log, stopping: AbortSignal): Promise<ReadonlyArray<StopStep>> => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const keys = await Effect.runPromise(loadSecretKeys(config.secretKeys))
  const parts = await composeWorker(config, keys, log, countSignals(registry, log))
  const closing: StopStep = { what: "connections", byMillis: 8_500, stop: parts.close }
  if (stopping.aborted) return [closing]
  await checkSecretKeys(parts.background, { place: "SECRETS_KEY", forgetsLost: config.forgetsLostSecrets }, log)
  registerBackingMetrics(registry, parts)
  const operators =
    config.port === null
      ? null
      : await startOperatorServer(config.port, registry, [
          { dependency: "control-database", find: requireAnswer(parts.postgres.ping()) },
          // The poll finds what the queue was not told of: work is later, and nothing is lost.
          { dependency: "queue", find: requireAnswer(parts.queue.ping()), otherwise: "degraded" },
          checkProjectDatabases(parts.postgres.schemas),
        ])
  const worker = await startWorker(parts.background, parts.queue, log)
  parts.postgres.schemas.start()
  log("info", "worker started", { operators: operators?.url ?? null })
  return [
    { what: "worker", byMillis: 6_000, stop: worker.drain },
    { what: "operators' page", byMillis: 6_500, stop: async () => operators?.close() },
    closing,
  ]
}

const run = async (stopping: AbortSignal) => {
  const read = readWorkerConfig(readEnvironment())
  if (Result.isFailure(read)) {
    for (const problem of read.failure) console.error(problem)
    process.exit(1)
  }
  const config = read.success
  const log = jsonLog(config.logLevel)
  void whenAborted(stopping).then(() => setTimeout(() => process.exit(0), stopMillis))
  const steps = await waitForStart(start(config, log, stopping), stopping)
  giveBackMemoryWhenIdle()
  await whenAborted(stopping)
  await takeStopSteps(steps, log)
  log("info", "worker stopped")
  process.exit(0)
}

/**
 * Runs a worker until `stopping` is aborted, and ends the process within ten seconds of that. An error at the start is printed in one
 * sentence and exits with 1.
 */
export const work = (stopping: AbortSignal): Promise<void> =>
  run(stopping).catch((error: unknown) => {
    if (stopping.aborted) process.exit(0)
    console.error(error instanceof Error ? error.message : String(error))
    process.exit(1)
  })
