import { Result } from "effect"
import { isObject } from "../schema.ts"
import { readCondition } from "./conditions.ts"
import { InvalidRules } from "./failures.ts"
import { fieldTarget } from "./fields.ts"
import { readEventRule } from "./parse-event-rule.ts"
import {
  addIssue,
  type Fields,
  isFull,
  type Reading,
  type ReadNode,
  type RuleIssue,
  readOwn,
  ruleLimits,
} from "./rule-reading.ts"
import { type FieldRule, groupOperators, type RuleGroup, type RuleNode } from "./rules.ts"

const readConditions = (
  reading: Reading,
  conditions: ReadonlyArray<unknown>,
  path: string,
  depth: number,
  readNode: ReadNode,
) => {
  const nodes: Array<RuleNode> = []
  for (let at = 0; at < conditions.length && !isFull(reading); at += 1) {
    const node = readNode(reading, conditions[at], `${path}.${at}`, depth + 1)
    if (node !== null) nodes.push(node)
  }
  return nodes
}

// `all` and `any` are other spellings of AND and OR [G1.1].
const readGroup = (
  reading: Reading,
  node: Fields,
  kind: string,
  path: string,
  depth: number,
  readNode: ReadNode,
): RuleGroup | null => {
  reading.groups += 1
  if (depth > ruleLimits.depth) return addIssue(reading, path, `must not be deeper than ${ruleLimits.depth} groups`)
  const given = kind === "operator" ? readOwn(node, kind) : kind === "all" ? "AND" : "OR"
  const operator = groupOperators.find((one) => one === given)
  const key = kind === "operator" ? "conditions" : kind
  const conditions = readOwn(node, key)
  if (operator === undefined) addIssue(reading, `${path}.operator`, "must be AND, OR or NOT")
  if (!Array.isArray(conditions)) return addIssue(reading, `${path}.${key}`, "must be an array of rules")
  if (operator === "NOT" && conditions.length !== 1) {
    addIssue(reading, `${path}.${key}`, "must have exactly one rule under NOT")
  }
  const nodes = readConditions(reading, conditions, `${path}.${key}`, depth, readNode)
  return operator === undefined ? null : { operator, conditions: nodes }
}

const eventFieldProblem = "must be a property of the event, like properties.a"

const readFieldRule = (reading: Reading, node: Fields, path: string, isOfEvent: boolean): FieldRule | null => {
  const [field, op, value] = [readOwn(node, "field"), readOwn(node, "op"), readOwn(node, "value")]
  const read = readCondition(field, op, value)
  if ("problems" in read) {
    for (const { part, message } of read.problems) {
      addIssue(reading, `${path}.${part}`, isOfEvent && part === "field" ? eventFieldProblem : message)
    }
    return null
  }
  const rule = { field, op } as Pick<FieldRule, "field" | "op">
  return read.condition.test.kind === "exists" ? rule : { ...rule, value: value as NonNullable<FieldRule["value"]> }
}

const readWhereRule: ReadNode = (reading, node, path, depth) => {
  const rule = readNodeOf(reading, node, path, depth, ["field"], readWhereRule)
  if (rule === null || !("field" in rule) || fieldTarget(rule.field)?.kind === "property") return rule
  return addIssue(reading, `${path}.field`, eventFieldProblem)
}

const asGroup = (rule: RuleNode): RuleGroup => ("operator" in rule ? rule : { operator: "AND", conditions: [rule] })

/** The condition on an event: a tree, or a single rule in place of one. */
const readWhere = (reading: Reading, where: unknown, path: string, depth: number): RuleGroup | null => {
  const rule = readWhereRule(reading, where, path, depth)
  return rule === null ? null : asGroup(rule)
}

const groupKinds = ["operator", "all", "any"]
const rootPhrase = "must be a group: all or any with a list of rules, or operator and conditions"
const leafKinds = ["field", "event"]

/** Reads a node: a group, or one of these kinds of leaves. */
const readNodeOf = (
  reading: Reading,
  node: unknown,
  path: string,
  depth: number,
  leaves: ReadonlyArray<string>,
  readChild: ReadNode,
): RuleNode | null => {
  const known = [...groupKinds, ...leafKinds]
  const kinds = isObject(node) ? known.filter((key) => readOwn(node, key) !== undefined) : []
  const [kind] = kinds
  if (kinds.length > 1) addIssue(reading, path, `must not have ${kinds.join(" and ")} at once`)
  if (!isObject(node) || kind === undefined) {
    reading.leaves += 1
    const orRule = `must be a group with all, any or operator, or a rule with ${leaves.join(" or ")}`
    return addIssue(reading, path, depth === 1 && !reading.takesRule ? rootPhrase : orRule)
  }
  if (groupKinds.includes(kind)) return readGroup(reading, node, kind, path, depth, readChild)
  reading.leaves += 1
  if (depth === 1 && !reading.takesRule) return addIssue(reading, path, rootPhrase)
  if (!leaves.includes(kind)) return addIssue(reading, path, `must be a group, or a rule with ${leaves.join(" or ")}`)
  return kind === "field"
    ? readFieldRule(reading, node, path, !leaves.includes("event"))
    : readEventRule(reading, node, path, (where, at) => readWhere(reading, where, at, depth))
}

const readNode: ReadNode = (reading, node, path, depth) => readNodeOf(reading, node, path, depth, leafKinds, readNode)

/**
 * Reads a tree of rules, or with `takesRule` a single one in place of it: the tree, or what is wrong with it, each with its path from
 * `root` on. Safe for any value, except cyclic ones. Unknown keys are ignored.
 */
export const readTree = (
  value: unknown,
  root: string,
  { takesRule }: Pick<Reading, "takesRule">,
): Result.Result<RuleGroup, { readonly issues: ReadonlyArray<RuleIssue> }> => {
  const reading: Reading = { takesRule, issues: [], leaves: 0, groups: 0 }
  const rules = readNode(reading, value, root, 1)
  if (reading.leaves > ruleLimits.leaves) addIssue(reading, root, `must not have more than ${ruleLimits.leaves} leaves`)
  if (reading.groups > ruleLimits.groups) addIssue(reading, root, `must not have more than ${ruleLimits.groups} groups`)
  return reading.issues.length > 0 || rules === null
    ? Result.fail({ issues: reading.issues })
    : Result.succeed(asGroup(rules))
}

/**
 * Parses the rules of a segment [E6]. The failure lists the issues, each with its path from `rules` on.
 */
export const parseRules = (value: unknown): Result.Result<RuleGroup, InvalidRules> =>
  Result.mapError(readTree(value, "rules", { takesRule: false }), (wrong) => new InvalidRules(wrong))
