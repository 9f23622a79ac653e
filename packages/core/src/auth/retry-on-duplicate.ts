import { Effect } from "effect"
import type { Duplicate } from "../ports/table.ts"

// Each time somebody else has committed what this one wanted, so the next time it is there to be found.
const times = 5

/**
 * Runs `attempt`, and anew when it comes upon a unique key that somebody took since it had looked. That this goes on and on is
 * a defect.
 */
export const retryOnDuplicate = <A, E>(attempt: Effect.Effect<A, E>): Effect.Effect<A, Exclude<E, Duplicate>> => {
  const isDuplicate = (failure: E) => (failure as { readonly _tag?: unknown })._tag === "Duplicate"
  return Effect.retry(attempt, { while: isDuplicate, times }).pipe(
    Effect.catchIf(isDuplicate, Effect.die),
  ) as Effect.Effect<A, Exclude<E, Duplicate>>
}
