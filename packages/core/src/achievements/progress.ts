import type { UserFacts } from "../segments/facts.ts"
import { eventRuleOf, fieldRuleOf, matches } from "../segments/matches.ts"
import { type EventRule, eventThreshold, type RuleGroup, type RuleNode } from "../segments/rules.ts"
import type { Progress } from "./achievement.ts"

/** The progress of what is either true or not. */
const allOrNothing = (isTrue: boolean): Progress => ({ current: isTrue ? 1 : 0, target: 1 })

// The smallest step of a sum [G0.8].
const step = 0.0001
const toFourDecimals = (value: number) => Math.round(value / step) / 10_000

/** What a rule about events counts up to; null for one that cannot be approached: it asks for less, for an exact number, or for nothing. */
const findTarget = (rule: EventRule): number | null => {
  if (rule.op !== "gte" && rule.op !== "gt") return null
  const target = eventThreshold(rule) + (rule.op === "gt" && "count" in rule ? 1 : 0)
  return target > 0 ? target : null
}

const measureEvent = (rule: EventRule, facts: UserFacts): Progress => {
  const { actual, matches } = eventRuleOf(rule, facts)
  const target = findTarget(rule)
  if (target === null) return allOrNothing(matches)
  if (matches) return { current: target, target }
  // A sum of exactly the value is not greater than it.
  const most = "sum" in rule ? toFourDecimals(target - step) : target - 1
  return { current: Math.max(0, Math.min(actual, most)), target }
}

const ratio = ({ current, target }: Progress) => (target === 0 ? 1 : current / target)

const measureGroup = (group: RuleGroup, facts: UserFacts, now: Date): Progress => {
  if (group.operator === "NOT") return allOrNothing(matches(group, facts, now))
  const children = group.conditions.map((child) => measureNode(child, facts, now))
  if (group.operator === "AND") {
    const current = toFourDecimals(children.reduce((sum, child) => sum + child.current, 0))
    return { current, target: toFourDecimals(children.reduce((sum, child) => sum + child.target, 0)) }
  }
  const [first, ...others] = children
  // OR of nothing is nobody.
  if (first === undefined) return allOrNothing(false)
  return others.reduce((furthest, child) => (ratio(child) > ratio(furthest) ? child : furthest), first)
}

const measureNode = (node: RuleNode, facts: UserFacts, now: Date): Progress => {
  if ("field" in node) return allOrNothing(fieldRuleOf(node, facts, now).matches)
  return "event" in node ? measureEvent(node, facts) : measureGroup(node, facts, now)
}

/**
 * How far a user is with criteria [G1.4]: rules that ask for at least so much as they are, everything else 0 or 1 of 1; AND sums
 * its children up, OR is the child that is furthest. A rule that is not true never shows `current` = `target`.
 */
export const measureProgress = (criteria: RuleGroup, facts: UserFacts, now: Date): Progress =>
  measureNode(criteria, facts, now)

const isChoice = (node: RuleNode): boolean =>
  "operator" in node && (node.operator === "OR" || (node.operator === "AND" && node.conditions.some(isChoice)))

/** Whether the target depends on the user: there is an OR, whose furthest child it is. */
export const targetDepends = (criteria: RuleGroup): boolean => isChoice(criteria)
