import { joinChoices } from "../phrases.ts"

const describeKind = (kind: "port" | "option", of: string) => (of === "" ? `The ${kind}s` : of)

/**
 * Throws a `TypeError` where `given` is no object, or has a key that `known` has not: no compiler warns who writes JavaScript, and what is
 * misspelt would be as good as left out. `kind` is what its keys are; `of` is the option that has them, where it is one itself.
 */
export const expectKnownNames = (kind: "port" | "option", given: unknown, known: object, of = ""): void => {
  const path = (name: string) => (of === "" ? name : `${of}.${name}`)
  const all = joinChoices(Object.keys(known).map(path))
  if (typeof given !== "object" || given === null)
    throw new TypeError(`${describeKind(kind, of)} must be an object of ${all}.`)
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(known, name))
  if (unknown.length === 0) return
  throw new TypeError(`There is no ${kind} ${joinChoices(unknown.map(path))}: it is one of ${all}.`)
}

/**
 * Does the same for options that have options of their own: `parts` has the names of each. What is undefined or null is left out. Where
 * they are `whole`, what is given must have all of them: nothing else says what the others are.
 */
export const expectKnownParts = (
  options: object,
  parts: Readonly<Record<string, object>>,
  { whole }: { readonly whole: boolean },
): void => {
  for (const [option, known] of Object.entries(parts)) {
    const given: unknown = Reflect.get(options, option) ?? null
    if (given === null) continue
    expectKnownNames("option", given, known, option)
    const missing = Object.keys(known).filter((name) => Reflect.get(Object(given), name) === undefined)
    if (!whole || missing.length === 0) continue
    const names = missing.map((name) => `${option}.${name}`).join(", ")
    throw new TypeError(`There is nothing at these options: ${names}. Who gives ${option} gives all of it.`)
  }
}
