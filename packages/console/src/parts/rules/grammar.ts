import type { RuleNode } from "./tree.ts"

/** What a field holds: it decides the operators and the control of the value. */
export type ValueKind = "text" | "list" | "time" | "flag" | "number" | "any"

/** Something that a rule can be about. Where the field ends with a dot, its name is completed by hand. */
export interface Subject {
  readonly field: string
  readonly label: string
  readonly kind: ValueKind
  /** What completes it. */
  readonly rest?: "property" | "entitlement" | "achievement" | "streak" | "currency"
}

/** What rules about users can ask for, by heading. */
export const userSubjects: ReadonlyArray<{ readonly heading: string; readonly subjects: ReadonlyArray<Subject> }> = [
  {
    heading: "Profile",
    subjects: [
      { field: "email", label: "Email", kind: "text" },
      { field: "display_name", label: "Display name", kind: "text" },
      { field: "timezone", label: "Time zone", kind: "text" },
      { field: "id", label: "Id", kind: "text" },
      { field: "external_id", label: "External id", kind: "text" },
      { field: "anonymous_id", label: "Anonymous id", kind: "text" },
      { field: "avatar_url", label: "Avatar", kind: "text" },
      { field: "auth_providers", label: "Ways to sign in", kind: "list" },
      { field: "is_disabled", label: "Disabled", kind: "flag" },
    ],
  },
  {
    heading: "Times",
    subjects: [
      { field: "first_seen_at", label: "First seen", kind: "time" },
      { field: "last_seen_at", label: "Last seen", kind: "time" },
      { field: "created_at", label: "Created", kind: "time" },
      { field: "updated_at", label: "Changed", kind: "time" },
      { field: "email_verified_at", label: "Email proven", kind: "time" },
    ],
  },
  {
    heading: "Progress and economy",
    subjects: [
      { field: "properties.", label: "Property …", kind: "any", rest: "property" },
      { field: "streaks.", label: "Streak …", kind: "number", rest: "streak" },
      { field: "achievements.", label: "Achievement …", kind: "flag", rest: "achievement" },
      { field: "xp.total", label: "Total XP", kind: "number" },
      { field: "currencies.", label: "Balance of …", kind: "number", rest: "currency" },
      { field: "entitlements.", label: "Entitlement …", kind: "flag", rest: "entitlement" },
    ],
  },
]

/** What rules about an event can ask for: its own properties. */
export const eventSubjects: typeof userSubjects = [
  {
    heading: "The event",
    subjects: [{ field: "properties.", label: "Property …", kind: "any", rest: "property" }],
  },
]

/** The subjects that are no fields: how often an event occurred, and the sum of one of its properties. */
export const eventCount = "event:count"
export const eventSum = "event:sum"

const allSubjects = userSubjects.flatMap(({ subjects }) => subjects)

/** The subject of a field; null for one that rules do not know. */
export const findSubject = (field: string): Subject | null =>
  allSubjects.find((subject) =>
    subject.rest === undefined ? subject.field === field : field.startsWith(subject.field),
  ) ?? null

// What stands behind what is completed.
const ending = (subject: Subject): string => (subject.rest === "streak" ? ".current_count" : "")

/** What completes a field: the path of a property, an id, a key or a code. */
export const readRest = (subject: Subject, field: string): string => {
  const end = ending(subject)
  return field.slice(subject.field.length, field.endsWith(end) ? field.length - end.length : undefined)
}

/** The field of a subject and what completes it. */
export const writeField = (subject: Subject, rest: string): string => `${subject.field}${rest}${ending(subject)}`

const words: Readonly<Record<string, string>> = {
  eq: "is",
  neq: "is not",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  contains: "contains",
  not_contains: "does not contain",
  within: "is within the last",
  not_within: "is not within the last",
  exists: "is there",
  not_exists: "is not there",
}

const timeWords: Readonly<Record<string, string>> = {
  gt: "is after",
  gte: "is at or after",
  lt: "is before",
  lte: "is at or before",
}

const numberOperators = ["eq", "neq", "gt", "gte", "lt", "lte"]
const presence = ["exists", "not_exists"]

/** The operators of a kind of value. */
export const listOperators = (kind: ValueKind): ReadonlyArray<string> => {
  if (kind === "text") return ["eq", "neq", "contains", "not_contains", ...presence]
  if (kind === "list") return ["contains", "not_contains", ...presence]
  if (kind === "time") return ["within", "not_within", ...numberOperators, ...presence]
  if (kind === "flag") return ["eq", "neq", ...presence]
  if (kind === "number") return [...numberOperators, ...presence]
  return [...numberOperators, "contains", "not_contains", "within", "not_within", ...presence]
}

/** The operators of counts and sums. */
export const countOperators: ReadonlyArray<string> = ["gte", "lte", "gt", "lt", "eq", "neq"]

/** An operator in words; those of times are said of a property, too, that is compared with a time. */
export const sayOperator = (operator: string, kind: ValueKind, value?: unknown): string =>
  (kind === "time" || (kind === "any" && kindOfValue(value) === "time") ? timeWords[operator] : undefined) ??
  words[operator] ??
  operator

const instantPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/

/** What sort of value a value is: of properties that can hold anything. */
const kindOfValue = (value: unknown): "text" | "number" | "flag" | "time" => {
  if (typeof value === "number") return "number"
  if (typeof value === "boolean") return "flag"
  return typeof value === "string" && instantPattern.test(value) ? "time" : "text"
}

/** What a value of a sort begins with. */
export const firstValue = (kind: "text" | "number" | "flag" | "time" | "list"): unknown => {
  if (kind === "number") return 0
  if (kind === "flag") return true
  if (kind === "list") return "email"
  return kind === "time" ? new Date().toISOString() : ""
}

const isDuration = (operator: string): boolean => operator === "within" || operator === "not_within"

/** The control of a value: none, a duration, or one of a sort. */
export const chooseControl = (
  kind: ValueKind,
  operator: string,
  value: unknown,
): "none" | "duration" | "text" | "number" | "flag" | "time" | "list" => {
  if (presence.includes(operator)) return "none"
  if (isDuration(operator)) return "duration"
  return kind === "any" ? kindOfValue(value) : kind
}

/** A rule with another operator: the value stays where it fits the new one. */
export const changeOperator = (rule: RuleNode, kind: ValueKind, op: string): RuleNode => {
  const { value, ...rest } = rule
  const control = chooseControl(kind, op, value)
  if (control === "none") return { ...rest, op }
  if (control === "duration") return { ...rest, op, value: isDuration(String(rule["op"])) ? value : "7d" }
  const hadValue = value !== undefined && !isDuration(String(rule["op"]))
  const sort = kind === "any" && ["gt", "gte", "lt", "lte"].includes(op) && !hadValue ? "number" : control
  return { ...rest, op, value: hadValue ? value : firstValue(sort) }
}

/** What a new rule about a subject begins with. */
export const firstRule = (subject: string): RuleNode => {
  if (subject === eventCount) return { event: "", op: "gte", count: 1 }
  if (subject === eventSum) return { event: "", op: "gte", sum: { property: "", value: 1 } }
  const found = allSubjects.find(({ field }) => field === subject)
  if (found === undefined) return { field: subject, op: "exists" }
  const op = listOperators(found.kind)[0] ?? "exists"
  const sort = found.kind === "any" ? "text" : found.kind
  const value = found.kind === "time" ? "7d" : found.kind === "number" ? 1 : firstValue(sort)
  return { field: writeField(found, ""), op: found.kind === "number" ? "gte" : op, value }
}
