import { setTimeout } from "node:timers/promises"
import type { Processor } from "bullmq"
import type { RunData } from "./job.ts"
import type { Link, RunWorker, WorkerSettings } from "./link.ts"
import { type QueueLog, reasonOf } from "./log.ts"
import { waitAtMost } from "./wait-at-most.ts"

const REOPEN_MILLIS = 1_000

// How long storing the result of a run may take while the worker stops.
const CLOSE_MILLIS = 3_000

/** Keeps a worker running until it is drained, and reopens it when the backend was lost. */
export const serveJobs = (link: Link, run: Processor<RunData, void>, settings: WorkerSettings, log: QueueLog) => {
  const stop = new AbortController()
  const stopped = new Promise<void>((resolve) => stop.signal.addEventListener("abort", () => resolve()))
  const running = new Set<Promise<void>>()

  const process: Processor<RunData, void> = (job, token, signal) => {
    const ended = run(job, token, signal)
    running.add(ended)
    return ended.finally(() => running.delete(ended))
  }

  const idle = async () => {
    while (running.size > 0) await Promise.allSettled(running)
  }

  const retire = async (worker: RunWorker) => {
    const answers = await link.ping().then(
      () => true,
      () => false,
    )
    if (!answers) {
      // A normal close would wait for a connection. Runs that end now are not stored, and will run again.
      await worker.pause(true)
      await idle()
      await waitAtMost(CLOSE_MILLIS, worker.close(true))
      return
    }
    const closed = worker.close()
    await Promise.race([closed, idle()])
    if (await waitAtMost(CLOSE_MILLIS, closed)) return
    worker.abandon()
    await waitAtMost(CLOSE_MILLIS, closed)
  }

  const work = async () => {
    const worker = await link.worker(process, settings)
    worker.on("error", (error) => log("The worker's queue cannot be used.", { error: reasonOf(error) }))
    try {
      await Promise.race([worker.waitUntilReady(), stopped])
      if (!stop.signal.aborted) await Promise.race([worker.run(), stopped])
    } finally {
      await retire(worker)
    }
  }

  const working = (async () => {
    while (!stop.signal.aborted) {
      await work().catch((error) => log("The worker's queue cannot be opened.", { error: reasonOf(error) }))
      await Promise.race([setTimeout(REOPEN_MILLIS, undefined, { signal: stop.signal }).catch(() => {}), stopped])
    }
  })()

  return {
    drain: () => {
      stop.abort()
      return working
    },
  }
}
