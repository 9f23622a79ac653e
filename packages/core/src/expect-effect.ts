import { Effect } from "effect"

const describe = (given: unknown): string => {
  if (typeof given === "function") return "a function"
  if (given instanceof Promise) return "a promise"
  if (Array.isArray(given)) return "an array"
  return typeof given === "object" && given !== null ? "an object" : String(given)
}

/**
 * The effect that is given to be run, as it is. What is none dies with a `TypeError`: who forgets to call a use case, or gives what is
 * undefined, would be told by effect in words of its own, or by a rejection without a reason.
 */
export const expectEffect = <A, E>(given: Effect.Effect<A, E>): Effect.Effect<A, E> =>
  Effect.isEffect(given)
    ? given
    : Effect.die(
        new TypeError(`What is run is an effect, as a use case answers when it is called: this is ${describe(given)}.`),
      )
