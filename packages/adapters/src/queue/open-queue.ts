import type { AnyWorkflow, QueueUnavailable, WorkflowRunner } from "@hearth/core"
import { Effect } from "effect"
import { type QueueLog, throttle } from "./log.ts"
import { postgresLink } from "./postgres-link.ts"
import { redisLink } from "./redis-link.ts"
import { runJob } from "./run-job.ts"
import { makeAsk, nextTickOf, queueRunner } from "./runner.ts"
import { serveJobs } from "./serve.ts"

/** Where the queue lives, and how patient it is. */
export type QueueOptions = ({ readonly redisUrl: string } | { readonly databaseUrl: string }) & {
  /** Queues of different names in one place do not meet. Default `hearth`. */
  readonly name?: string
  /** The first pause before a dead run is tried again; each further one doubles. Default 1,000. */
  readonly backoffMillis?: number
  /** How long a killed worker's runs rest before another takes them over, about: at most half as much again. Default 20,000. */
  readonly lockMillis?: number
}

/** Workflows that are being run here. */
export interface Served {
  /** Begins no more runs, and ends when the last has ended. */
  drain(): Effect.Effect<void>
}

/** An open queue: the producers' end at once, workers where they are asked for. */
export interface OpenQueue {
  readonly runner: WorkflowRunner
  /** Runs these workflows, `concurrency` at a time. Without a connection it waits for one. */
  serve(workflows: ReadonlyArray<AnyWorkflow>, options: { readonly concurrency: number }): Effect.Effect<Served>
  /** Whether the queue answers, within two seconds. */
  ping(): Effect.Effect<boolean>
  /** When a schedule fires next, null where there is none. */
  nextTick(workflow: AnyWorkflow, id: string): Effect.Effect<Date | null, QueueUnavailable>
  /** Drains what is served, and lets go of all connections. */
  close(): Effect.Effect<void>
}

/** Opens the queue on Redis or on PostgreSQL. It opens without either, and finds them when they come. */
export const openQueue = async (options: QueueOptions, log: QueueLog = () => {}): Promise<OpenQueue> => {
  const { name = "hearth", backoffMillis = 1_000, lockMillis = 20_000 } = options
  const throttledLog = throttle(log)
  const link =
    "redisUrl" in options
      ? await redisLink(options.redisUrl, name, throttledLog)
      : await postgresLink(options.databaseUrl, name, throttledLog)
  const ask = makeAsk(throttledLog)
  const serving = new Set<Served>()

  return {
    runner: queueRunner(link, backoffMillis, throttledLog),
    serve: (workflows, { concurrency }) =>
      Effect.sync(() => {
        // A run must not be given up because workers were restarted, but one that kills every worker must end.
        const settings = {
          concurrency,
          lockDuration: lockMillis,
          stalledInterval: lockMillis / 2,
          maxStalledCount: 100,
        }
        const jobs = serveJobs(link, runJob(workflows, log), settings, throttledLog)
        const served: Served = {
          drain: () => Effect.promise(() => jobs.drain().finally(() => serving.delete(served))),
        }
        serving.add(served)
        return served
      }),
    ping: () => ask(() => link.ping()).pipe(Effect.match({ onSuccess: () => true, onFailure: () => false })),
    nextTick: (workflow, id) => ask(() => nextTickOf(link, workflow, id)),
    close: () =>
      Effect.gen(function* () {
        yield* Effect.forEach([...serving], (served) => served.drain(), { concurrency: "unbounded" })
        yield* Effect.promise(() => link.close())
      }),
  }
}
