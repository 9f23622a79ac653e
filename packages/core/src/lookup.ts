import { Effect, Option } from "effect"

/** What a lookup found, or a failure of the class that says that it is not there. */
export const orFail = <A, E, F>(
  lookup: Effect.Effect<Option.Option<A>, E>,
  Failure: new () => F,
): Effect.Effect<A, E | F> =>
  Effect.flatMap(lookup, (found) => (Option.isSome(found) ? Effect.succeed(found.value) : Effect.fail(new Failure())))
