import type { EventSpan } from "../events/port.ts"
import { conditionOf, type FieldTest } from "./conditions.ts"
import { factOf, type UserFacts } from "./facts.ts"
import { readDuration, readTimestamp } from "./instants.ts"
import { foldCase } from "./letter-case.ts"
import type { Comparison, EventRule, FieldRule, RuleGroup, RuleNode } from "./rules.ts"

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

/** The user's value for a rule about a field, and whether the rule matches. */
export const fieldRuleOf = (rule: FieldRule, facts: UserFacts, now: Date) => {
  const { target, test, isNegated } = conditionOf(rule)
  const actual = factOf(target, facts, now)
  return { actual, matches: passes(test, actual, now) !== isNegated }
}

/** The user's count for a rule about events, and whether the rule matches. */
export const eventRuleOf = (rule: EventRule, facts: UserFacts) => {
  const actual = facts.eventCount(rule)
  const matches = rule.op === "neq" ? actual !== rule.count : compare(rule.op, actual, rule.count)
  return { actual, matches }
}

/** Whether a group matches, given the results of its conditions. */
export const groupMatches = (operator: RuleGroup["operator"], conditions: ReadonlyArray<boolean>): boolean => {
  if (operator === "AND") return !conditions.includes(false)
  return operator === "OR" ? conditions.includes(true) : conditions[0] === false
}

const nodeMatches = (node: RuleNode, facts: UserFacts, now: Date): boolean => {
  if ("operator" in node) {
    const conditions = node.conditions.map((child) => nodeMatches(child, facts, now))
    return groupMatches(node.operator, conditions)
  }
  return "field" in node ? fieldRuleOf(node, facts, now).matches : eventRuleOf(node, facts).matches
}

/** Whether parsed rules match a user. A property test checks that the database selects the same users. */
export const matches = (rules: RuleGroup, facts: UserFacts, now: Date): boolean => nodeMatches(rules, facts, now)

/** The events that a rule counts at `now`. */
export const eventSpan = ({ event, within }: EventRule, now: Date): EventSpan => {
  const millis = within === undefined ? null : readDuration(within)
  return millis === null
    ? { event, since: null, until: null }
    : { event, since: new Date(now.getTime() - millis), until: now }
}
