import { Effect, Option } from "effect"

/** The result of a lookup. Fails with a new `Failure` when there is none. */
export const orFail = <A, E, F>(
  lookup: Effect.Effect<Option.Option<A>, E>,
  Failure: new () => F,
): Effect.Effect<A, E | F> =>
  Effect.flatMap(lookup, (found) => (Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(new Failure())))
