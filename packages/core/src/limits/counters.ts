import { Effect } from "effect"
import type { RateLimit } from "../ports/rate-limiter.ts"

/** Points for one counter. */
export interface Claim {
  readonly key: string
  readonly limit: RateLimit
  readonly points: number
}

/** A counter after a claim. */
export interface CounterState {
  readonly points: number
  /** How many of the points are held by attempts that have not ended. */
  readonly held: number
  readonly left_millis: number
}

/** The outcome of claims, with the states of their counters in the same order. */
export interface TakeResult {
  readonly taken: boolean
  readonly states: ReadonlyArray<CounterState>
  /** Ends an attempt that held its points: they stay counted, or go back if their window has not ended. */
  readonly settle: (isCounted: boolean) => Effect.Effect<void>
}

/** Where points are counted: in a process, or in a store for all of them. */
export interface CounterStore {
  /** Adds the points of all claims, or of none when any counter would exceed its limit. Keys are different. `hold`: for an attempt. */
  take(claims: ReadonlyArray<Claim>, hold: boolean): Effect.Effect<TakeResult>
}

interface Counter {
  points: number
  held: number
  readonly limit: RateLimit
  readonly endsAt: number
}

const sweepMillis = 1_000
// How many of the oldest counters are looked at for one that may be forgotten.
const candidates = 16

/**
 * Counts in this process. It keeps at most `capacity` counters: beyond that the ones whose window has ended go first, then
 * old ones whose limit is not used up, so that a flood of made-up keys does not lift a refusal.
 */
export const makeCounters = (now: () => number, capacity = 100_000): CounterStore & { readonly size: () => number } => {
  const counters = new Map<string, Counter>()
  let sweptAt = Number.NEGATIVE_INFINITY

  const sweep = (moment: number) => {
    if (moment < sweptAt + sweepMillis) return
    sweptAt = moment
    for (const [name, { endsAt }] of counters) if (endsAt <= moment) counters.delete(name)
  }
  const forgetOne = () => {
    let oldest: string | undefined
    let looked = 0
    for (const [name, { points, limit }] of counters) {
      oldest ??= name
      looked += 1
      if (points < limit.points) return void counters.delete(name)
      if (looked === candidates) break
    }
    if (oldest !== undefined) counters.delete(oldest)
  }
  const open = ({ key, limit }: Claim, moment: number): Counter => {
    const name = nameCounter(key, limit)
    const known = counters.get(name)
    if (known !== undefined && known.endsAt > moment) return known
    counters.delete(name)
    if (counters.size >= capacity) sweep(moment)
    if (counters.size >= capacity) forgetOne()
    const counter = { points: 0, held: 0, limit, endsAt: moment + limit.seconds * 1_000 }
    counters.set(name, counter)
    return counter
  }

  const takeNow = (claims: ReadonlyArray<Claim>, hold: boolean): TakeResult => {
    const moment = now()
    const found = claims.map((claim) => ({ ...claim, counter: open(claim, moment) }))
    const taken = found.every(({ counter, limit, points }) => counter.points + points <= limit.points)
    if (taken) {
      for (const { counter, points } of found) {
        counter.points += points
        if (hold) counter.held += points
      }
    }
    // A counter of a window that has ended is not looked at again, so points that go back to it change nothing.
    const settleNow = (isCounted: boolean) => {
      for (const { counter, points } of found) {
        counter.held -= points
        if (!isCounted) counter.points -= points
      }
    }
    return {
      taken,
      states: found.map(({ counter }) => ({
        points: counter.points,
        held: counter.held,
        left_millis: counter.endsAt - moment,
      })),
      settle: (isCounted) => Effect.sync(() => taken && hold && settleNow(isCounted)),
    }
  }

  return {
    take: (claims, hold) => Effect.sync(() => takeNow(claims, hold)),
    size: () => counters.size,
  }
}

/** `5/60:key`: the counter of a key for five points in sixty seconds. */
export const nameCounter = (key: string, { points, seconds }: RateLimit): string => `${points}/${seconds}:${key}`
