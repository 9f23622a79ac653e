import { Result } from "effect"
import { isObject, isText } from "../schema.ts"
import { readCondition } from "./conditions.ts"
import { InvalidRules } from "./failures.ts"
import { readDuration } from "./instants.ts"
import { countOps, type EventRule, type FieldRule, groupOperators, type RuleGroup, type RuleNode } from "./rules.ts"

/** How large a tree of rules may be. Depth counts groups: the root is 1. */
export const ruleLimits = { depth: 5, leaves: 50, groups: 200 } as const

const mostIssues = 100
// Parsing stops after this many nodes, so that a huge tree costs little. The issues found until then are enough.
const mostNodes = 10_000
const longestEvent = 255
const mostEvents = 1_000_000_000

type Fields = Readonly<Record<string, unknown>>

interface Reading {
  readonly issues: Array<{ readonly path: string; readonly message: string }>
  leaves: number
  groups: number
}

/** The value of an own key of the node. Inherited keys are ignored. */
const readOwn = (node: Fields, key: string): unknown => (Object.hasOwn(node, key) ? node[key] : undefined)

const addIssue = (reading: Reading, path: string, message: string): null => {
  if (reading.issues.length < mostIssues) reading.issues.push({ path, message })
  return null
}

const isFull = ({ issues, leaves, groups }: Reading) => issues.length >= mostIssues || leaves + groups >= mostNodes

const readConditions = (reading: Reading, conditions: ReadonlyArray<unknown>, path: string, depth: number) => {
  const nodes: Array<RuleNode> = []
  for (let at = 0; at < conditions.length && !isFull(reading); at += 1) {
    const node = readNode(reading, conditions[at], `${path}.conditions.${at}`, depth + 1)
    if (node !== null) nodes.push(node)
  }
  return nodes
}

const readGroup = (reading: Reading, node: Fields, path: string, depth: number): RuleGroup | null => {
  reading.groups += 1
  if (depth > ruleLimits.depth) return addIssue(reading, path, `must not be deeper than ${ruleLimits.depth} groups`)
  const operator = groupOperators.find((one) => one === readOwn(node, "operator"))
  const conditions = readOwn(node, "conditions")
  if (operator === undefined) addIssue(reading, `${path}.operator`, "must be AND, OR or NOT")
  if (!Array.isArray(conditions)) return addIssue(reading, `${path}.conditions`, "must be a list of rules")
  if (operator === "NOT" && conditions.length !== 1) {
    addIssue(reading, `${path}.conditions`, "must have exactly one rule under NOT")
  }
  const nodes = readConditions(reading, conditions, path, depth)
  return operator === undefined ? null : { operator, conditions: nodes }
}

const readFieldRule = (reading: Reading, node: Fields, path: string): FieldRule | null => {
  const [field, op, value] = [readOwn(node, "field"), readOwn(node, "op"), readOwn(node, "value")]
  const read = readCondition(field, op, value)
  if ("problems" in read) {
    for (const { part, message } of read.problems) addIssue(reading, `${path}.${part}`, message)
    return null
  }
  const rule = { field, op } as Pick<FieldRule, "field" | "op">
  return read.condition.test.kind === "exists" ? rule : { ...rule, value: value as NonNullable<FieldRule["value"]> }
}

const isEventName = (event: unknown): event is string => isText(event, 1, longestEvent)

const readEventRule = (reading: Reading, node: Fields, path: string): EventRule | null => {
  const [event, count] = [readOwn(node, "event"), readOwn(node, "count")]
  const within = readOwn(node, "within") ?? undefined
  const op = countOps.find((one) => one === readOwn(node, "op"))
  const isCount = typeof count === "number" && Number.isInteger(count) && count >= 0 && count <= mostEvents
  const isTime = within === undefined || (typeof within === "string" && readDuration(within) !== null)
  if (!isEventName(event)) addIssue(reading, `${path}.event`, "must be text of 1 to 255 characters")
  if (op === undefined) addIssue(reading, `${path}.op`, `must be one of ${countOps.join(", ")}`)
  if (!isCount) addIssue(reading, `${path}.count`, "must be a whole number from 0 to 1000000000")
  if (!isTime) addIssue(reading, `${path}.within`, 'must be a time like "7d", "24h" or "30m", at most 36500 days')
  if (!isEventName(event) || op === undefined || !isCount || !isTime) return null
  return within === undefined ? { event, op, count } : { event, op, count, within: within as string }
}

const readNode = (reading: Reading, node: unknown, path: string, depth: number): RuleNode | null => {
  const kinds = isObject(node) ? ["operator", "field", "event"].filter((key) => readOwn(node, key) !== undefined) : []
  if (kinds.length > 1) addIssue(reading, path, `must not have ${kinds.join(" and ")} at once`)
  if (!isObject(node) || kinds.length === 0) {
    reading.leaves += 1
    return addIssue(reading, path, "must be a group with operator, or a rule with field or event")
  }
  if (kinds.includes("operator")) return readGroup(reading, node, path, depth)
  reading.leaves += 1
  if (depth === 1) return addIssue(reading, path, "must be a group with operator and conditions")
  return kinds.includes("field") ? readFieldRule(reading, node, path) : readEventRule(reading, node, path)
}

/**
 * Parses a tree of rules [E6]. Unknown keys are ignored. The failure lists the issues, each with its path from `rules` on.
 * Safe for any value, except cyclic ones.
 */
export const parseRules = (value: unknown): Result.Result<RuleGroup, InvalidRules> => {
  const reading: Reading = { issues: [], leaves: 0, groups: 0 }
  const rules = readNode(reading, value, "rules", 1)
  if (reading.leaves > ruleLimits.leaves)
    addIssue(reading, "rules", `must not have more than ${ruleLimits.leaves} leaves`)
  if (reading.groups > ruleLimits.groups)
    addIssue(reading, "rules", `must not have more than ${ruleLimits.groups} groups`)
  return reading.issues.length > 0 || rules === null || !("operator" in rules)
    ? Result.fail(new InvalidRules({ issues: reading.issues }))
    : Result.succeed(rules)
}
