import type { Schema } from "effect"

// No JSON of a call or a record is nested as deep: what is contains itself.
const mostLevels = 200

/** A plain one of another realm has another `Object.prototype`, above which there is nothing either. */
const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null
}

const isNested = (value: object, level: number): boolean => {
  if (level > mostLevels) return false
  if (Array.isArray(value)) {
    // By index: a hole is none of JSON's values.
    for (let at = 0; at < value.length; at += 1) if (!isJsonAt(value[at], level)) return false
    return true
  }
  return isPlain(value) && Object.keys(value).every((key) => isJsonAt(value[key as keyof typeof value], level))
}

const isJsonAt = (value: unknown, level: number): boolean => {
  if (typeof value === "object") return value === null || isNested(value, level + 1)
  return typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)
}

/** Whether `value` is JSON. Objects are not remembered while it is looked at: that took most of the time of a large body. */
export const isJson = (value: unknown): value is Schema.Json => isJsonAt(value, 0)
