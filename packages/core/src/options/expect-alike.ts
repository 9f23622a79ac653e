const kinds: Readonly<Record<string, string>> = {
  boolean: "true or false",
  function: "a function",
  object: "an object",
  string: "a text",
}

const isCount = (value: unknown, least: number): boolean => Number.isSafeInteger(value) && Number(value) >= least

/** What the value must be; null where it is like the example. */
const findWanted = (value: unknown, example: unknown): string | null => {
  if (example === true || (example === null && typeof value !== "number")) return null
  if (example === null || typeof example === "number") {
    const least = Math.min(example ?? 1, 1)
    return isCount(value, least) ? null : `a whole number of at least ${least}`
  }
  if (Array.isArray(example)) return Array.isArray(value) ? null : "a list"
  return typeof value === typeof example && value !== null ? null : (kinds[typeof example] ?? null)
}

/** A text is not told: it may be a secret. */
const describe = (value: unknown): string => {
  if (typeof value === "number" || value === null) return String(value)
  if (Array.isArray(value)) return "a list"
  return kinds[typeof value] ?? typeof value
}

const expectEach = (given: object, examples: object, of: string, isWhole: boolean): void => {
  for (const [name, example] of Object.entries(examples)) {
    const value: unknown = Reflect.get(given, name)
    if ((value === undefined && !isWhole) || (value === null && of === "")) continue
    const path = of === "" ? name : `${of}.${name}`
    const wanted = findWanted(value, example)
    if (wanted !== null) throw new TypeError(`${path} must be ${wanted}: it is ${describe(value)}.`)
    if (Array.isArray(value) && Array.isArray(example))
      expectEach(
        value,
        value.map(() => example[0]),
        path,
        true,
      )
    else if (typeof value === "object" && value !== null && typeof example === "object" && example !== null)
      expectEach(value, example, path, isWhole)
  }
}

/**
 * Throws a `TypeError` where an option is of another kind than the example of the same name: no compiler checks who writes JavaScript or
 * reads variables, and a service would start with it. The example of a whole number is 0 where it may be 0; that of a list has one of
 * what it holds; `true` stands for anything, and null for what may be null. What is undefined is left out, and so is an option that is null.
 */
export const expectAlike = (options: object, examples: object): void => expectEach(options, examples, "", false)
