import { Effect } from "effect"

/**
 * Statements of one transaction that do not need each other's answers. They are sent at once, in one round trip, and run in this
 * order: so locks are taken in it too. What asks more than once before it holds its locks, like the purses, is waited for alone.
 */
export const together = <const Statements extends ReadonlyArray<Effect.Effect<unknown, unknown>>>(
  statements: Statements,
) => Effect.all(statements, { concurrency: "unbounded" })
