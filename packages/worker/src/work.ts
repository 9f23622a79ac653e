import { readFileSync } from "node:fs"
import {
  checkSecretKeys,
  type Log,
  loadSecretKeys,
  openLog,
  readEnvironment,
  startWorker,
  watchClock,
} from "@hearth/adapters"
import { Effect, Result } from "effect"
import { collectDefaultMetrics, Registry } from "prom-client"
import { registerBackingMetrics } from "./backing-metrics.ts"
import { composeWorker } from "./compose.ts"
import { readWorkerConfig, type WorkerConfig } from "./config.ts"
import { giveBackMemoryWhenIdle } from "./give-back-memory.ts"
import { startOperatorServer } from "./operator-server.ts"
import { describeConnected, logProcess } from "./process-log.ts"
import { checkProjectDatabases } from "./project-databases.ts"
import { requireAnswer } from "./readiness.ts"
import { countSignals } from "./signal-counts.ts"
import { type StopStep, takeStopSteps, waitForStart, whenAborted } from "./stop-steps.ts"

const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL("../package.json", import.meta.url), "utf8"),
)

const start = async (config: WorkerConfig, log: Log, stopping: AbortSignal) => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const keys = await Effect.runPromise(loadSecretKeys(config.secretKeys))
  const parts = await composeWorker(config, keys, log, countSignals(registry, log))
  const closing: StopStep = { what: "connections", byMillis: 8_500, stop: parts.close }
  if (stopping.aborted) return { steps: [closing], operators: null }
  const clocks = await watchClock(parts.postgres.readClock, log)
  await checkSecretKeys(parts.background, { place: "SECRETS_KEY", forgetsLost: config.forgetsLostSecrets }, log)
  registerBackingMetrics(registry, { ...parts, clocks })
  const operators =
    config.port === null
      ? null
      : await startOperatorServer({ host: config.host, port: config.port }, registry, [
          { dependency: "control-database", find: requireAnswer(parts.postgres.takesWrites()) },
          // The poll finds what the queue was not told of: work is later, and nothing is lost.
          { dependency: "queue", find: requireAnswer(parts.queue.ping()), otherwise: "degraded" },
          checkProjectDatabases(parts.postgres.schemas),
        ])
  const worker = await startWorker(parts.background, parts.queue, log)
  parts.postgres.schemas.start()
  const steps: ReadonlyArray<StopStep> = [
    { what: "worker", byMillis: 6_000, stop: worker.drain },
    { what: "clock", byMillis: 6_000, stop: async () => clocks.stop() },
    { what: "operators' page", byMillis: 6_500, stop: async () => operators?.close() },
    closing,
  ]
  return { steps, operators: operators?.url ?? null }
}

const run = async (stopping: AbortSignal) => {
  const read = readWorkerConfig(readEnvironment())
  if (Result.isFailure(read)) {
    for (const problem of read.failure) console.error(problem)
    process.exit(1)
  }
  const config = read.success
  const log = openLog(config.log)
  const { started } = logProcess(log, "worker", version, stopping)
  const { steps, operators } = await waitForStart(start(config, log, stopping), stopping)
  giveBackMemoryWhenIdle()
  if (!stopping.aborted) started({ operators, ...describeConnected(config) })
  await whenAborted(stopping)
  await takeStopSteps(steps, log)
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
