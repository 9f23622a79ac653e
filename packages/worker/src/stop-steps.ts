import { setTimeout as wait } from "node:timers/promises"
import type { Log } from "@hearth/adapters"

/** A step of a stop. */
export interface StopStep {
  /** What it stops, for the log. */
  readonly what: string
  /** By when it has to be done, in milliseconds from the beginning of the stop. */
  readonly byMillis: number
  readonly stop: () => Promise<unknown>
}

/** When a stop is over at the latest, in milliseconds: supervisors and containers kill a process after ten seconds. */
export const stopMillis = 9_500

// How long a start that is to be stopped goes on to the end of its present step.
const startMillis = 4_000

/** Resolves when the signal is aborted. */
export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener("abort", () => resolve(), { once: true })
  })

/** Waits for a start, which is expected to end soon when `stopping` is aborted. Rejects when it does not. */
export const waitForStart = <A>(start: Promise<A>, stopping: AbortSignal): Promise<A> => {
  const late = whenAborted(stopping).then(async () => {
    await wait(startMillis)
    throw new Error("The start was stopped.")
  })
  return Promise.race([start, late])
}

/** Waits for `stop`, but no longer than `millis`. */
const waitFor = async (stop: () => Promise<unknown>, millis: number): Promise<"done" | "late"> => {
  const timer = new AbortController()
  const late = wait(millis, "late" as const, { signal: timer.signal })
  late.catch(() => {})
  return Promise.race([stop().then(() => "done" as const), late]).finally(() => timer.abort())
}

/**
 * Takes the steps one after the other. One that fails or is not done in time is logged, and the next is taken: what was
 * acknowledged is in the database, so nothing is lost.
 */
export const takeStopSteps = async (steps: Iterable<StopStep>, log: Log): Promise<void> => {
  const began = performance.now()
  for (const { what, byMillis, stop } of steps) {
    const left = Math.max(0, byMillis - (performance.now() - began))
    const end = await waitFor(stop, left).catch((error: unknown) => String(error))
    if (end !== "done")
      log("warn", "did not stop in order", { what, reason: end === "late" ? "it took too long" : end })
  }
}
