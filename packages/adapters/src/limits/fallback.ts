import type { Claim, CounterStore, TakeResult } from "@hearth/core/limits"
import { Effect } from "effect"
import { localCounters } from "./local.ts"

/** Called when a limiter loses its store, and when it has it back. */
export type LimitLog = (message: string, facts: Readonly<Record<string, unknown>>) => void

/** Takes points in a store of all processes. */
export type TakeInStore = (claims: ReadonlyArray<Claim>, hold: boolean) => Promise<TakeResult>

/** Every request waits for its limit first, so it waits no longer than this. */
const TIMEOUT_MILLIS = 2000

/** After a failure the store is not called for this long. Then one call tries it while the others count locally. */
const PAUSE_MILLIS = 2000

/**
 * Counts in a store for as long as it answers, and in this process while it does not: a lost store neither stops calls
 * nor sets them free. Counts are not carried over, so each process allows a window's points once more.
 */
export const withFallback = (store: string, log: LimitLog, takeInStore: TakeInStore): CounterStore => {
  const local = localCounters()
  let pausedUntil: number | undefined

  const mayTry = () => {
    if (pausedUntil === undefined) return true
    if (performance.now() < pausedUntil) return false
    pausedUntil = performance.now() + TIMEOUT_MILLIS + PAUSE_MILLIS
    return true
  }
  const reportFailure = (error: unknown) => {
    if (pausedUntil === undefined)
      log("Rate limits are counted in this process alone.", { store, error: String(error) })
    pausedUntil = performance.now() + PAUSE_MILLIS
  }
  const reportAnswer = () => {
    if (pausedUntil !== undefined) log("Rate limits are counted for all processes again.", { store })
    pausedUntil = undefined
  }

  return {
    take: (claims, hold) =>
      Effect.suspend(() => {
        if (!mayTry()) return local.take(claims, hold)
        return Effect.tryPromise({ try: () => takeInStore(claims, hold), catch: (error) => error }).pipe(
          Effect.timeout(TIMEOUT_MILLIS),
          Effect.tap(() => Effect.sync(reportAnswer)),
          Effect.catch((error) =>
            Effect.andThen(
              Effect.sync(() => reportFailure(error)),
              local.take(claims, hold),
            ),
          ),
        )
      }),
  }
}

/** Ends an attempt in its store. Where that fails its points stay counted until their window ends. */
export const settleInStore = (settle: () => Promise<unknown>): Effect.Effect<void> =>
  Effect.tryPromise({ try: settle, catch: (error) => error }).pipe(Effect.timeout(TIMEOUT_MILLIS), Effect.ignore)
