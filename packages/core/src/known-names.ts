import { joinChoices } from "./phrases.ts"

/**
 * Throws a `TypeError` where `given` is no object, or has a key that `known` has not: no compiler warns who writes JavaScript, and what is
 * misspelt would be as good as left out. `kind` is what its keys are.
 */
export const expectKnownNames = (kind: "port" | "option", given: unknown, known: object): void => {
  if (typeof given !== "object" || given === null)
    throw new TypeError(`The ${kind}s must be an object of ${joinChoices(Object.keys(known))}.`)
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return
  throw new TypeError(`There is no ${kind} ${joinChoices(unknown)}: it is one of ${joinChoices(Object.keys(known))}.`)
}
