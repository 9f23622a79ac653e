import type { Schemas } from "../../api.ts"
import { isTime, sayDuration, sayField, sayValue } from "../../parts/rules/say.ts"

type Node = Schemas["ExplainedNode"]
type Group = Schemas["ExplainedGroup"]
type Leaf = Exclude<Node, Group>

const words: Readonly<Record<string, readonly [says: string, asks: string]>> = {
  eq: ["is", "must be"],
  neq: ["is not", "must not be"],
  gt: ["is more than", "must be more than"],
  gte: ["is at least", "must be at least"],
  lt: ["is less than", "must be less than"],
  lte: ["is at most", "must be at most"],
  contains: ["contains", "must contain"],
  not_contains: ["does not contain", "must not contain"],
  exists: ["is there", "must be there"],
  not_exists: ["is not there", "must not be there"],
  within: ["is within the last", "must be within the last"],
  not_within: ["is not within the last", "must not be within the last"],
}

const timeWords: typeof words = {
  gt: ["is after", "must be after"],
  gte: ["is at or after", "must be at or after"],
  lt: ["is before", "must be before"],
  lte: ["is at or before", "must be at or before"],
}

const isGroup = (node: Node): node is Group => "conditions" in node

const describeSubject = (leaf: Schemas["ExplainedEvent"]): string => {
  const within = leaf.within === null ? "" : ` in the last ${sayDuration(leaf.within)}`
  return leaf.sum === undefined
    ? `The number of “${leaf.event}”${within}`
    : `The sum of ${leaf.sum.property} of “${leaf.event}”${within}`
}

const describeCondition = (leaf: Leaf, tense: 0 | 1): string => {
  const isOfTime = "field" in leaf && isTime(leaf.field)
  const op = ((isOfTime ? timeWords[leaf.op] : undefined) ?? words[leaf.op])?.[tense] ?? leaf.op
  if ("field" in leaf) {
    const value = leaf.op.endsWith("within") ? sayDuration(leaf.value) : sayValue(leaf.value)
    return `${sayField(leaf.field)} ${op}${leaf.op.endsWith("exists") ? "" : ` ${value}`}`
  }
  const where = leaf.where === undefined ? "" : ` where ${JSON.stringify(leaf.where)}`
  return `${describeSubject(leaf)}${where} ${op} ${leaf.sum?.value ?? leaf.count ?? 0}`
}

/** What the user has in place of it. */
const describeActual = (leaf: Leaf): string =>
  "field" in leaf && leaf.is_missing ? "the user has no such value" : `it is ${sayValue(leaf.actual)}`

/** A condition that keeps the user out: one that is not met, or one that must not be met and is. */
interface Culprit {
  readonly leaf: Leaf
  readonly mustNot: boolean
}

/** In a sentence, why a condition keeps the user out. */
export const describeCulprit = ({ leaf, mustNot }: Culprit): string =>
  mustNot
    ? `${describeCondition(leaf, 0)}, which it must not: ${describeActual(leaf)}.`
    : `${describeCondition(leaf, 1)}, but ${describeActual(leaf)}.`

/** The conditions because of which rules do not come out as they would have to. */
export const findCulprits = (node: Node, wanted = true): ReadonlyArray<Culprit> => {
  if (node.matches === wanted) return []
  if (!isGroup(node)) return [{ leaf: node, mustNot: !wanted }]
  const wantsEach = node.operator === "NOT" ? !wanted : wanted
  return node.conditions.flatMap((each) => findCulprits(each, wantsEach))
}
