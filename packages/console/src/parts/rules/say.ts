import { findSubject } from "./grammar.ts"

const local = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" })
const units: Readonly<Record<string, string>> = { m: "minute", h: "hour", d: "day", w: "week" }

/** A duration as rules have it in words: “30d” is 30 days. */
export const sayDuration = (duration: unknown): string => {
  const [, count = "", unit = ""] = /^(\d+)([a-z])$/.exec(String(duration)) ?? []
  const name = units[unit]
  return name === undefined ? String(duration) : `${count} ${name}${count === "1" ? "" : "s"}`
}

/** A value: texts in quotes, instants in the viewer's zone. */
export const sayValue = (value: unknown): string => {
  if (typeof value !== "string") return JSON.stringify(value ?? null)
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d.*Z$/.test(value) ? local.format(new Date(value)) : `“${value}”`
}

/** A field by its name, where it has one of its own. */
export const sayField = (field: string): string => {
  const subject = findSubject(field)
  return subject !== null && subject.rest === undefined ? subject.label : field
}

/** Whether a field holds an instant. */
export const isTime = (field: string): boolean => findSubject(field)?.kind === "time"
