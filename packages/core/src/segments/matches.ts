import { conditionOf, type FieldTest } from "./conditions.ts"
import { factOf, type UserFacts } from "./facts.ts"
import type { FieldTarget } from "./fields.ts"
import { readTimestamp } from "./instants.ts"
import { foldCase } from "./letter-case.ts"
import { measureKey } from "./measures.ts"
import {
  type Comparison,
  type EventRule,
  eventThreshold,
  type FieldRule,
  type RuleGroup,
  type RuleNode,
} from "./rules.ts"

const compare = (op: Comparison, a: number, b: number): boolean => {
  switch (op) {
    case "eq":
      return a === b
    case "gt":
      return a > b
    case "gte":
      return a >= b
    case "lt":
      return a < b
    case "lte":
      return a <= b
  }
}

const contains = (fact: unknown, value: unknown): boolean =>
  Array.isArray(fact)
    ? fact.includes(value)
    : typeof fact === "string" && typeof value === "string" && foldCase(fact).includes(foldCase(value))

const toInstant = (fact: unknown): Date | null =>
  fact instanceof Date ? fact : typeof fact === "string" ? readTimestamp(fact) : null

const passes = (test: FieldTest, fact: unknown, now: Date): boolean => {
  switch (test.kind) {
    case "exists":
      return fact !== null
    case "is":
      return fact === test.value
    case "contains":
      return contains(fact, test.value)
    case "number":
      return typeof fact === "number" && compare(test.op, fact, test.value)
    case "instant": {
      const at = toInstant(fact)
      return at !== null && compare(test.op, at.getTime(), test.at.getTime())
    }
    case "within": {
      const at = toInstant(fact)
      return at !== null && at <= now && at.getTime() >= now.getTime() - test.millis
    }
  }
}

/** The value for a rule about a field, and whether the rule matches. `read` answers null for what is missing. */
const testField = (rule: FieldRule, read: (target: FieldTarget) => unknown, now: Date) => {
  const { target, test, isNegated } = conditionOf(rule)
  const actual = read(target)
  return { actual, matches: passes(test, actual, now) !== isNegated }
}

/** The user's value for a rule about a field, and whether the rule matches. */
export const fieldRuleOf = (rule: FieldRule, facts: UserFacts, now: Date) =>
  testField(rule, (target) => factOf(target, facts, now), now)

/** The user's count or sum for a rule about events, and whether the rule matches. */
export const eventRuleOf = (rule: EventRule, facts: UserFacts) => {
  const actual = facts.events.get(measureKey(rule)) ?? 0
  const threshold = eventThreshold(rule)
  return { actual, matches: rule.op === "neq" ? actual !== threshold : compare(rule.op, actual, threshold) }
}

/** Whether a group matches, given the results of its conditions. */
export const groupMatches = (operator: RuleGroup["operator"], conditions: ReadonlyArray<boolean>): boolean => {
  if (operator === "AND") return !conditions.includes(false)
  return operator === "OR" ? conditions.includes(true) : conditions[0] === false
}

/** Whether a node matches. A rule about events has its result from `testEvent`. */
export const nodeMatches = (
  node: RuleNode,
  read: (target: FieldTarget) => unknown,
  testEvent: (rule: EventRule) => boolean,
  now: Date,
): boolean => {
  if ("field" in node) return testField(node, read, now).matches
  if ("event" in node) return testEvent(node)
  const conditions = node.conditions.map((child) => nodeMatches(child, read, testEvent, now))
  return groupMatches(node.operator, conditions)
}

/** Whether parsed rules match a user. A property test checks that the database selects the same users. */
export const matches = (rules: RuleGroup, facts: UserFacts, now: Date): boolean =>
  nodeMatches(
    rules,
    (target) => factOf(target, facts, now),
    (rule) => eventRuleOf(rule, facts).matches,
    now,
  )
