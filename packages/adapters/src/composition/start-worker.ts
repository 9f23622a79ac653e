import type { Background } from "@hearth/core"
import { Cause, Effect } from "effect"
import type { OpenQueue } from "../queue/index.ts"
import type { Log } from "../system/log.ts"

// At boot and every 30 seconds [E10]. The jitter keeps several workers from polling at the same moment.
const pollMillis = 30_000
const jitterMillis = 3_000
// Workflows that run at once: up to two jobs of projects, two campaigns and three projects with a backlog, and one at least for what is
// soon done. Each uses one connection, a campaign two.
const concurrency = 8

/** A running worker. */
export interface Worker {
  /** Starts no further work and waits for the work that is running. */
  drain(): Promise<void>
}

/** Serves the workflows of the queue, and polls at boot and every 30 seconds for work that was not queued. */
export const startWorker = async (background: Background, queue: OpenQueue, log: Log): Promise<Worker> => {
  const served = await Effect.runPromise(queue.serve(background.workflows, { concurrency }))
  let draining = false
  let timer: NodeJS.Timeout | undefined
  const poll = () =>
    Effect.runPromise(
      Effect.catchCause(background.poll, (cause) =>
        Effect.sync(() => log("warn", "could not look for waiting work", { reason: Cause.pretty(cause) })),
      ),
    )
  let running: Promise<unknown> = Promise.resolve()
  const tick = () => {
    running = poll().finally(() => {
      if (!draining) timer = setTimeout(tick, pollMillis + Math.random() * jitterMillis)
    })
  }
  tick()
  return {
    drain: async () => {
      draining = true
      clearTimeout(timer)
      // Finishes the running batches and starts no further one.
      await Effect.runPromise(background.stop)
      await Promise.all([running, Effect.runPromise(served.drain())])
    },
  }
}
