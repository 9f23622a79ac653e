import { Schema } from "effect"
import { Count } from "../schema.ts"
import type { UserFacts } from "./facts.ts"
import { eventRuleOf, fieldRuleOf, groupMatches } from "./matches.ts"
import { countOps, groupOperators, type RuleGroup, type RuleNode } from "./rules.ts"

const ExplainedField = Schema.Struct({
  field: Schema.String,
  op: Schema.String,
  /** Null for `exists` and `not_exists`. */
  value: Schema.NullOr(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])),
  /** The user's value of the field; instants as ISO-8601 text. */
  actual: Schema.Json,
  is_missing: Schema.Boolean,
  matches: Schema.Boolean,
}).annotate({ identifier: "ExplainedField" })

const ExplainedEvent = Schema.Struct({
  event: Schema.String,
  op: Schema.Literals(countOps),
  /** Left out where something is summed. */
  count: Schema.optionalKey(Count),
  sum: Schema.optionalKey(Schema.Struct({ property: Schema.String, value: Schema.Finite })),
  where: Schema.optionalKey(Schema.Json),
  within: Schema.NullOr(Schema.String),
  /** The number or the sum of such events of the user. */
  actual: Schema.Finite,
  matches: Schema.Boolean,
}).annotate({ identifier: "ExplainedEvent" })

interface ExplainedGroup {
  readonly operator: RuleGroup["operator"]
  readonly matches: boolean
  readonly conditions: ReadonlyArray<ExplainedNode>
}

/** A rule with what was found for one user, and whether it is true; a group with its rules. */
export type ExplainedNode = ExplainedGroup | typeof ExplainedField.Type | typeof ExplainedEvent.Type

const ExplainedGroup: Schema.Codec<ExplainedGroup> = Schema.Struct({
  operator: Schema.Literals(groupOperators),
  matches: Schema.Boolean,
  conditions: Schema.Array(Schema.suspend((): Schema.Codec<ExplainedNode> => ExplainedNode)),
}).annotate({ identifier: "ExplainedGroup" })

/** A rule with what was found for one user, and whether it is true; a group with its rules. */
export const ExplainedNode: Schema.Codec<ExplainedNode> = Schema.Union([
  ExplainedGroup,
  ExplainedField,
  ExplainedEvent,
]).annotate({ identifier: "ExplainedNode" })

const toJson = (fact: unknown): Schema.Json => (fact instanceof Date ? fact.toISOString() : (fact as Schema.Json))

const explainNode = (node: RuleNode, facts: UserFacts, now: Date): ExplainedNode => {
  if ("operator" in node) {
    const conditions = node.conditions.map((child) => explainNode(child, facts, now))
    const matches = groupMatches(
      node.operator,
      conditions.map((child) => child.matches),
    )
    return { operator: node.operator, matches, conditions }
  }
  if ("event" in node) {
    const { where, ...rule } = node
    const condition = where === undefined ? {} : { where: toJson(where) }
    return { ...rule, ...condition, within: node.within ?? null, ...eventRuleOf(node, facts) }
  }
  const { actual, matches } = fieldRuleOf(node, facts, now)
  return { ...node, value: node.value ?? null, actual: toJson(actual), is_missing: actual === null, matches }
}

/** Explains why parsed rules match a user or not: the same tree, with the actual value at each rule. */
export const explainRules = (rules: RuleGroup, facts: UserFacts, now: Date): ExplainedNode =>
  explainNode(rules, facts, now)
