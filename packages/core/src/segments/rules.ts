import { fieldTarget } from "./fields.ts"

/** How the conditions of a group are combined. `AND` of none is true, `OR` of none is false; `NOT` has exactly one. */
export const groupOperators = ["AND", "OR", "NOT"] as const
export type GroupOperator = (typeof groupOperators)[number]

/** How two numbers or two instants are compared. */
export const comparisons = ["eq", "gt", "gte", "lt", "lte"] as const
export type Comparison = (typeof comparisons)[number]

/** How a rule compares the count of an event. */
export const countOps = ["eq", "neq", "gt", "gte", "lt", "lte"] as const
export type CountOp = (typeof countOps)[number]

/** The negated operators and their positive forms, which are exact complements [E6]. */
export const complements = { neq: "eq", not_contains: "contains", not_exists: "exists", not_within: "within" } as const
export type PositiveOp = Comparison | "contains" | "exists" | "within"
export type FieldOp = PositiveOp | keyof typeof complements

/** A value that a field can be compared with. */
export type RuleValue = string | number | boolean

/** A group of rules. */
export interface RuleGroup {
  readonly operator: GroupOperator
  readonly conditions: ReadonlyArray<RuleNode>
}

/** A rule about a field of the user. `exists` and `not_exists` have no value. */
export interface FieldRule {
  readonly field: string
  readonly op: FieldOp
  readonly value?: RuleValue
}

/** Which of a user's events a rule is about: of all time or `within` a time up to now, and those that `where` matches. */
interface EventLeaf {
  readonly event: string
  readonly op: CountOp
  readonly within?: string
  /** Its fields are properties of the event [G1.1]. */
  readonly where?: RuleGroup
}

/** A rule about the number of a user's events. */
export interface CountRule extends EventLeaf {
  readonly count: number
}

/** A rule about the sum of a property of a user's events [G1.1]. */
export interface SumRule extends EventLeaf {
  readonly sum: { readonly property: string; readonly value: number }
}

/** A rule about a user's events. */
export type EventRule = CountRule | SumRule

/** A group, or one of the two kinds of leaves. */
export type RuleNode = RuleGroup | FieldRule | EventRule

/** The number that a rule about events compares with. */
export const eventThreshold = (rule: EventRule): number => ("count" in rule ? rule.count : rule.sum.value)

/** The leaves of a tree, from left to right, without those of `where`. */
export const leavesOf = (node: RuleNode): ReadonlyArray<FieldRule | EventRule> =>
  "operator" in node ? node.conditions.flatMap(leavesOf) : [node]

/** The rules about events, from left to right: the same objects that are in the tree. */
export const eventRules = (rules: RuleGroup): ReadonlyArray<EventRule> =>
  leavesOf(rules).filter((leaf) => "event" in leaf)

/** Whether the rules depend on streaks, which change as time passes. */
export const mentionsStreaks = (rules: RuleGroup): boolean =>
  leavesOf(rules).some((leaf) => "field" in leaf && fieldTarget(leaf.field)?.kind === "streak")
