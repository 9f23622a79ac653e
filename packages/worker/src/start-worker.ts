import type { Log, OpenQueue } from "@hearth/adapters"
import type { Background } from "@hearth/core"
import { Cause, Effect } from "effect"

// Decision E10: at boot and every 30 seconds. A little of chance keeps several workers from asking all at once.
const pollMillis = 30_000
const jitterMillis = 3_000
// Projects are looked after side by side; each of them takes one connection.
const concurrency = 4

/** A worker at work. */
export interface Worker {
  /** Takes nothing new, and ends when what it is doing is done. */
  drain(): Promise<void>
}

/** Serves the workflows of the queue, and looks at boot and every 30 seconds for what the queue was not told of. */
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
      // Batches that have begun are finished; no further one is.
      await Effect.runPromise(background.stop)
      await Promise.all([running, Effect.runPromise(served.drain())])
    },
  }
}
