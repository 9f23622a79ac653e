import { type InputIssue, stepOf } from "./input-issues.ts"
import { isText } from "./schema.ts"

/** How deep the JSON of a call may be nested [A9]. */
const mostLevels = 32

const isDate = (value: object) => value instanceof Date
const isPlain = (value: object) => Object.prototype.toString.call(value) === "[object Object]"

/** Whether `value` is an object as JSON has it: no array, no instant, no map. */
export const isPlainObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && isPlain(value) && !isDate(value)

const isNested = (value: unknown): value is object => Array.isArray(value) || isPlainObject(value)
const isKept = (text: string) => isText(text, 0, Number.POSITIVE_INFINITY)

const textFault = "must be well-formed Unicode without NUL"

/** What passes beside JSON: properties that are undefined, or anything that a schema is still to judge. */
type Passing = "nothing" | "undefined" | "anything"

const findLeafFault = (value: unknown, passing: Passing): string | null => {
  if (typeof value === "string") return isKept(value) ? null : textFault
  if (typeof value === "boolean" || value === null || passing === "anything") return null
  if (typeof value === "number") return Number.isFinite(value) ? null : "must be a finite number"
  return "must be a JSON value"
}

const join = (path: string, key: string | number) => (path === "" ? stepOf(key) : `${path}.${stepOf(key)}`)

const findFault = (value: unknown, path: string, level: number, passing: Passing): InputIssue | null => {
  if (!isNested(value)) {
    const message = findLeafFault(value, passing)
    return message === null ? null : { path, message }
  }
  if (level > mostLevels) return { path: "", message: `must be nested at most ${mostLevels} levels deep` }
  const entries = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [key, each] of entries) {
    if (typeof key === "string" && !isKept(key))
      return { path, message: "must have keys of well-formed Unicode without NUL" }
    if (each === undefined && passing === "undefined" && typeof key === "string") continue
    const fault = findFault(each, join(path, key), level + 1, passing)
    if (fault !== null) return fault
  }
  return null
}

/**
 * The first thing in a value that the JSON of a request cannot have [A9]: over 32 levels, text that is not well-formed or has a NUL, numbers
 * that are not finite, what is no JSON at all. Null where there is none. Over HTTP the body was parsed, so that there is none.
 */
export const findJsonFault = (value: unknown, path = ""): InputIssue | null => findFault(value, path, 1, "nothing")

/**
 * The same for the nested values of a record. Of those in `anyJson` the schema says nothing, and properties that are undefined pass where
 * `passing` says so. Of all others it says what else is wrong: only nesting and text are looked at.
 */
export const findRecordFault = (
  record: unknown,
  anyJson: ReadonlyArray<string> = [],
  passing: "nothing" | "undefined" = "nothing",
): InputIssue | null => {
  if (typeof record !== "object" || record === null) return null
  for (const [name, value] of Object.entries(record)) {
    const fault = isNested(value) ? findFault(value, name, 2, anyJson.includes(name) ? passing : "anything") : null
    if (fault !== null) return fault.path === "" ? { ...fault, path: name } : fault
  }
  return null
}

/** JSON without the properties that are undefined, as JSON text leaves them out. */
export const withoutUndefined = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (!isNested(value)) return value
  const given = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(given.map(([key, each]) => [key, withoutUndefined(each)]))
}
