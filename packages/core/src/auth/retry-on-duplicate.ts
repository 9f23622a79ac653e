import { Effect } from "effect"
import type { Duplicate } from "../ports/table.ts"

// After a duplicate the next attempt finds the committed row, so a few retries are enough.
const times = 5

/** Retries `attempt` when a concurrent transaction took the key. Dies when the retries are used up. */
export const retryOnDuplicate = <A, E>(attempt: Effect.Effect<A, E>): Effect.Effect<A, Exclude<E, Duplicate>> => {
  const isDuplicate = (failure: E) => (failure as { readonly _tag?: unknown })._tag === "Duplicate"
  return Effect.retry(attempt, { while: isDuplicate, times }).pipe(
    Effect.catchIf(isDuplicate, Effect.die),
  ) as Effect.Effect<A, Exclude<E, Duplicate>>
}
