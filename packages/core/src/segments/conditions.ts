import { joinChoices } from "../phrases.ts"
import { isText } from "../schema.ts"
import { type FieldTarget, fieldPhrase, fieldTarget } from "./fields.ts"
import { readDuration, readTimestamp } from "./instants.ts"
import { type Comparison, comparisons, complements, type FieldRule, type PositiveOp, type RuleValue } from "./rules.ts"

/** A test of a field's value. */
export type FieldTest =
  | { readonly kind: "exists" }
  /** Strict equality of JSON values. */
  | { readonly kind: "is"; readonly value: RuleValue }
  /** A case-insensitive part of a text, or an item of a list. */
  | { readonly kind: "contains"; readonly value: RuleValue }
  | { readonly kind: "number"; readonly op: Comparison; readonly value: number }
  | { readonly kind: "instant"; readonly op: Comparison; readonly at: Date }
  /** An instant within the last `millis`, both ends included. */
  | { readonly kind: "within"; readonly millis: number }

/** The meaning of a rule about a field: the test, or its complement when `isNegated`. A missing field fails every test. */
export interface FieldCondition {
  readonly target: FieldTarget
  readonly test: FieldTest
  readonly isNegated: boolean
}

/** An invalid part of a rule about a field, with a message that does not repeat the input. */
export interface FieldProblem {
  readonly part: "field" | "op" | "value"
  readonly message: string
}

const longestText = 1_000
const problem = (message: string) => ({ problem: message })
type Reader = (value: unknown) => FieldTest | { readonly problem: string }

const isRuleText = (value: unknown): value is string => isText(value, 0, longestText)

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value)

const readInstant = (value: unknown): Date | null => {
  const at = typeof value === "string" ? readTimestamp(value) : null
  // With a zone west of UTC an instant can fall in the year 10000, which PostgreSQL formats differently.
  return at !== null && at.getUTCFullYear() <= 9999 ? at : null
}

const textProblem = `must be a string of at most ${longestText} characters, well-formed Unicode without NUL`
const instantProblem = "must be an ISO-8601 date, or date and time with a zone"

const exists: Reader = (value) =>
  value === undefined || value === null || value === true ? { kind: "exists" } : problem("must be left out, or be true")
const text =
  (kind: "is" | "contains"): Reader =>
  (value) =>
    isRuleText(value) ? { kind, value } : problem(textProblem)
const flag: Reader = (value) => (typeof value === "boolean" ? { kind: "is", value } : problem("must be true or false"))
const scalar =
  (kind: "is" | "contains"): Reader =>
  (value) =>
    isRuleText(value) || isNumber(value) || typeof value === "boolean"
      ? { kind, value }
      : problem("must be a string of at most 1000 characters, a finite number, true or false")
const number =
  (op: Comparison): Reader =>
  (value) =>
    isNumber(value) ? { kind: "number", op, value } : problem("must be a finite number")
const instant =
  (op: Comparison): Reader =>
  (value) => {
    const at = readInstant(value)
    return at === null ? problem(instantProblem) : { kind: "instant", op, at }
  }
const numberOrInstant =
  (op: Comparison): Reader =>
  (value) => {
    if (isNumber(value)) return { kind: "number", op, value }
    const at = readInstant(value)
    return at === null ? problem(`must be a finite number, or ${instantProblem.slice(8)}`) : { kind: "instant", op, at }
  }
const within: Reader = (value) => {
  const millis = typeof value === "string" ? readDuration(value) : null
  return millis === null
    ? problem('must be a time like "7d", "24h" or "30m", at most 36500 days')
    : { kind: "within", millis }
}

type Readers = { readonly [Op in PositiveOp]?: Reader }

const forComparisons = (reader: (op: Comparison) => Reader): Readers =>
  Object.fromEntries(comparisons.map((op) => [op, reader(op)]))

/** The operators of each kind of field, and how their values are read. */
const readers: Readonly<Record<FieldTarget["kind"], Readers>> = {
  text: { exists, eq: text("is"), contains: text("contains") },
  list: { exists, contains: text("contains") },
  timestamp: { exists, within, ...forComparisons(instant) },
  boolean: { exists, eq: flag },
  entitlement: { exists, eq: flag },
  achievement: { exists, eq: flag },
  streak: { exists, ...forComparisons(number) },
  xp: { exists, ...forComparisons(number) },
  currency: { exists, ...forComparisons(number) },
  property: { exists, within, contains: scalar("contains"), ...forComparisons(numberOrInstant), eq: scalar("is") },
}

const positiveOps: ReadonlySet<string> = new Set<PositiveOp>([...comparisons, "contains", "exists", "within"])
const isPositive = (op: unknown): op is PositiveOp => typeof op === "string" && positiveOps.has(op)
const opProblem = `must be ${joinChoices([...positiveOps, ...Object.keys(complements)])}`
const isComplement = (op: unknown): op is keyof typeof complements =>
  typeof op === "string" && Object.hasOwn(complements, op)

/** Reads a rule about a field: its condition, or its problems. */
export const readCondition = (
  field: unknown,
  op: unknown,
  value: unknown,
): { readonly condition: FieldCondition } | { readonly problems: ReadonlyArray<FieldProblem> } => {
  const target = typeof field === "string" ? fieldTarget(field) : null
  const isNegated = isComplement(op)
  const positive = isNegated ? complements[op] : op
  const problems: Array<FieldProblem> = []
  if (target === null) problems.push({ part: "field", message: `must be ${fieldPhrase}` })
  if (!isPositive(positive)) problems.push({ part: "op", message: op === undefined ? "is required" : opProblem })
  if (target === null || !isPositive(positive)) return { problems }
  const reader = readers[target.kind][positive]
  if (reader === undefined)
    return {
      problems: [
        {
          part: "op",
          message: `must be ${joinChoices(Object.keys(readers[target.kind]))} for this kind of field, or its negation`,
        },
      ],
    }
  const test = reader(value)
  return "problem" in test
    ? { problems: [{ part: "value", message: test.problem }] }
    : { condition: { target, test, isNegated } }
}

// Achievements match the same rules against many users.
const known = new WeakMap<FieldRule, FieldCondition>()

/** The condition of a rule that was parsed. Throws for an invalid rule. */
export const conditionOf = (rule: FieldRule): FieldCondition => {
  const before = known.get(rule)
  if (before !== undefined) return before
  const read = readCondition(rule.field, rule.op, rule.value)
  if ("condition" in read) {
    known.set(rule, read.condition)
    return read.condition
  }
  throw new TypeError(`The rule was not parsed: ${read.problems.map(({ part }) => part).join()}`)
}
