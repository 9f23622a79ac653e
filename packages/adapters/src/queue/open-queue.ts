import type { AnyWorkflow, QueueUnavailable, WorkflowRunner } from "@hearth/core"
import { Effect } from "effect"
import { type QueueLog, throttle } from "./log.ts"
import { postgresLink } from "./postgres-link.ts"
import { redisLink } from "./redis-link.ts"
import { runJob } from "./run-job.ts"
import { makeAsk, nextTickOf, queueRunner } from "./runner.ts"
import { serveJobs } from "./serve.ts"

/** The backend of the queue, its name and its times. */
export type QueueOptions = ({ readonly redisUrl: string } | { readonly databaseUrl: string }) & {
  /** Queues of different names in one backend are independent. Default `hearth`. */
  readonly name?: string
  /** The pause before the first retry of a run that died; it doubles with each retry. Default 1,000. */
  readonly backoffMillis?: number
  /** After this time, or up to half as much more, another worker takes over the runs of a killed one. Default 20,000. */
  readonly lockMillis?: number
  /** How long a call waits for the answer. Default 1,800. */
  readonly answerMillis?: number
}

// Two seconds are promised [E10]; the rest is for a busy event loop.
const usualAnswerMillis = 1_800

/** Workflows that are being run here. */
export interface Served {
  /** Starts no more runs, and waits for the running ones. */
  drain(): Effect.Effect<void>
}

/** An open queue. Producers can use it at once; workers run after `serve`. */
export interface OpenQueue {
  readonly runner: WorkflowRunner
  /** Runs these workflows, `concurrency` at a time. Without a connection it waits for one. */
  serve(workflows: ReadonlyArray<AnyWorkflow>, options: { readonly concurrency: number }): Effect.Effect<Served>
  /** Whether the queue answers, within two seconds. */
  ping(): Effect.Effect<boolean>
  /** When a schedule fires next, null where there is none. */
  nextTick(workflow: AnyWorkflow, id: string): Effect.Effect<Date | null, QueueUnavailable>
  /** Drains the workers and closes all connections. */
  close(): Effect.Effect<void>
}

/** Opens the queue on Redis or on PostgreSQL. It also opens while the backend is away, and connects when it is back. */
export const openQueue = async (options: QueueOptions, log: QueueLog = () => {}): Promise<OpenQueue> => {
  const { name = "hearth", backoffMillis = 1_000, lockMillis = 20_000, answerMillis = usualAnswerMillis } = options
  const throttledLog = throttle(log)
  const link =
    "redisUrl" in options
      ? await redisLink(options.redisUrl, name, throttledLog, { answerMillis })
      : await postgresLink(options.databaseUrl, name, throttledLog, answerMillis)
  const ask = makeAsk(throttledLog, answerMillis)
  const serving = new Set<Served>()

  return {
    runner: queueRunner(link, backoffMillis, ask),
    serve: (workflows, { concurrency }) =>
      Effect.sync(() => {
        // Restarts of workers must not end a run, but a run that kills every worker must be given up.
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
