import { Effect, Exit, Latch, Option } from "effect"
import { type Failure, type FailureKind, RateLimitExceeded } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { RateClaim } from "../ports/rate-limiter.ts"

// How long an attempt waits for points that others hold: four times as long as a full line of passwords takes, for a machine that is
// busy. Who waits has failed nothing yet, and apps wait for an answer longer than this.
const patienceMillis = 10_000
// Attempts of this process wake each other. For those of others it is looked again after this long, then twice as long.
const firstLookMillis = 50
const lastLookMillis = 800

/** Whether an attempt is counted, by its failure; null where it has not failed, or nobody knows. */
export type IsCounted = (failure: Pick<Failure, "kind"> | null) => boolean

// A refused credential is a guess. Everything else that can go wrong says nothing about one.
const guesses: ReadonlyArray<FailureKind> = ["unauthenticated", "forbidden"]

const isGuess: IsCounted = (failure) => failure !== null && guesses.includes(failure.kind)

/** Counts what was made: not what was refused, nor what the service could not do. */
export const isMade: IsCounted = (failure) => failure === null

/** Those who wait for a point of a key, the first first. */
const makeLines = () => {
  const lines = new Map<string, Set<Latch.Latch>>()
  return {
    enter: (keys: ReadonlyArray<string>, latch: Latch.Latch) => {
      for (const key of keys) lines.set(key, (lines.get(key) ?? new Set()).add(latch))
    },
    leave: (keys: ReadonlyArray<string>, latch: Latch.Latch) => {
      for (const key of keys) {
        const line = lines.get(key)
        line?.delete(latch)
        if (line?.size === 0) lines.delete(key)
      }
    },
    wakeFirst: (keys: ReadonlyArray<string>) => {
      for (const key of keys) for (const latch of (lines.get(key) ?? new Set()).values()) if (latch.openUnsafe()) break
    },
  }
}

/** Counts attempts by how they end, safely for attempts made at once [B14]. */
export const makeAttempts = ({ clock, limiter }: Pick<Ports, "clock" | "limiter">) => {
  const lines = makeLines()

  /** Takes the points of an attempt. Waits while others hold them who may give them back. */
  const reserve = Effect.fnUntraced(function* (claims: ReadonlyArray<RateClaim>) {
    const keys = claims.map(({ key }) => key)
    const until = clock.now().getTime() + patienceMillis
    for (let look = firstLookMillis; ; look = Math.min(look * 2, lastLookMillis)) {
      const latch = Latch.makeUnsafe()
      // In the line before it looks: a point that is given back in between is not missed.
      lines.enter(keys, latch)
      const reservation = yield* limiter.reserve(claims)
      const mayWait = !reservation.allowed && reservation.may_be_freed && clock.now().getTime() < until
      if (mayWait) yield* Effect.timeoutOption(latch.await, look)
      lines.leave(keys, latch)
      if (reservation.allowed) return reservation
      if (!mayWait) {
        // Whoever is next may have to be refused as well.
        lines.wakeFirst(keys)
        const retry_after_seconds = reservation.may_be_freed ? 1 : reservation.reset_seconds
        return yield* new RateLimitExceeded({ retry_after_seconds })
      }
    }
  })

  /**
   * Runs an attempt, and counts it where it ends so that `isCounted`, by default when a credential was refused. Its points are taken
   * before and given back after, so that of attempts made at once no more are tried than of attempts one after another.
   */
  return (claims: ReadonlyArray<RateClaim>, isCounted: IsCounted = isGuess) =>
    <A, E extends Pick<Failure, "kind">>(attempt: Effect.Effect<A, E>): Effect.Effect<A, E | RateLimitExceeded> =>
      claims.length === 0
        ? attempt
        : Effect.acquireUseRelease(
            reserve(claims),
            () => attempt,
            ({ settle }, exit) =>
              Effect.andThen(
                settle(isCounted(Option.getOrNull(Exit.findErrorOption(exit)))),
                Effect.sync(() => lines.wakeFirst(claims.map(({ key }) => key))),
              ),
          )
}
