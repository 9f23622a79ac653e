import { type InputIssue, stepOf } from "./input-issues.ts"
import { isText } from "./schema.ts"

/** How deep the JSON of a call may be nested [A9]. */
const mostLevels = 32

const isDate = (value: object) => value instanceof Date
const isPlain = (value: object) => Object.prototype.toString.call(value) === "[object Object]"
const isKept = (text: string) => isText(text, 0, Number.POSITIVE_INFINITY)

const textFault = "must be well-formed Unicode without NUL"

/** What no JSON is, or an instant of a record where these are let through. */
const findLeafFault = (value: unknown, lenient: boolean): string | null => {
  if (typeof value === "string") return isKept(value) ? null : textFault
  if (typeof value === "boolean" || value === null || lenient) return null
  if (typeof value === "number") return Number.isFinite(value) ? null : "must be a finite number"
  return "must be a JSON value"
}

const join = (path: string, key: string | number) => (path === "" ? stepOf(key) : `${path}.${stepOf(key)}`)

const findFault = (value: unknown, path: string, level: number, lenient: boolean): InputIssue | null => {
  const isArray = Array.isArray(value)
  const isNested = isArray || (typeof value === "object" && value !== null && isPlain(value) && !isDate(value))
  if (!isNested) {
    const message = findLeafFault(value, lenient)
    return message === null ? null : { path, message }
  }
  if (level > mostLevels) return { path: "", message: `must be nested at most ${mostLevels} levels deep` }
  const entries = isArray ? value.entries() : Object.entries(value)
  for (const [key, each] of entries) {
    if (typeof key === "string" && !isKept(key))
      return { path, message: "must have keys of well-formed Unicode without NUL" }
    const fault = findFault(each, join(path, key), level + 1, lenient)
    if (fault !== null) return fault
  }
  return null
}

/**
 * The first thing in a value that the JSON of a request cannot have [A9]: over 32 levels, text that is not well-formed or has a NUL, numbers
 * that are not finite, what is no JSON at all. Null where there is none. Over HTTP the body was parsed, so that there is none.
 */
export const findJsonFault = (value: unknown, path = ""): InputIssue | null => findFault(value, path, 1, false)

/** The same for the values of a record, whose schema says what else is wrong: only nesting and the text within nested values. */
export const findRecordFault = (record: unknown): InputIssue | null => {
  if (typeof record !== "object" || record === null) return null
  for (const [name, value] of Object.entries(record)) {
    const fault = typeof value === "object" ? findFault(value, name, 2, true) : null
    if (fault !== null) return fault.path === "" ? { ...fault, path: name } : fault
  }
  return null
}
