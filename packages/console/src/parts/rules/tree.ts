/** A node of a tree of rules, as it is stored (docs/segments.md). Keys that mean nothing here are kept. */
export type RuleNode = Readonly<Record<string, unknown>>

/** How the conditions of a group are joined. */
export type Operator = "AND" | "OR" | "NOT"

const isNode = (value: unknown): value is RuleNode =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const toNodes = (value: unknown): ReadonlyArray<RuleNode> => (Array.isArray(value) ? value.filter(isNode) : [])

/** A value as a node; what is none is everybody. */
export const toNode = (value: unknown): RuleNode => (isNode(value) ? value : { operator: "AND", conditions: [] })

/** A group in whichever way it is written, with the key under which its conditions are; null for what is no group. */
export const readGroup = (
  node: RuleNode,
): { readonly operator: Operator; readonly key: string; readonly nodes: ReadonlyArray<RuleNode> } | null => {
  if ("operator" in node) {
    const operator = node["operator"] === "OR" || node["operator"] === "NOT" ? node["operator"] : "AND"
    return { operator, key: "conditions", nodes: toNodes(node["conditions"]) }
  }
  if ("all" in node) return { operator: "AND", key: "all", nodes: toNodes(node["all"]) }
  if ("any" in node) return { operator: "OR", key: "any", nodes: toNodes(node["any"]) }
  return null
}

/** Rules as a group: one that stands alone is the only one of its group. */
export const toGroup = (value: unknown): RuleNode => {
  const node = toNode(value)
  return readGroup(node) === null ? { all: [node] } : node
}

/** A group with other conditions, written as before. */
export const withNodes = (node: RuleNode, nodes: ReadonlyArray<RuleNode>): RuleNode => ({
  ...node,
  [readGroup(node)?.key ?? "conditions"]: nodes,
})

/** A group with another operator; what was written in short is written out. */
export const withOperator = (node: RuleNode, operator: Operator): RuleNode => {
  const { all, any, ...rest } = node
  return { ...rest, operator, conditions: readGroup(node)?.nodes ?? [] }
}

const isNamed = (value: unknown): boolean => typeof value === "string" && value !== ""

/** Whether every rule names what it is about. Until then the service need not be asked about them. */
export const isFinished = (node: RuleNode): boolean => {
  const group = readGroup(node)
  if (group !== null) return group.nodes.every(isFinished)
  const { field, event, sum, where } = node
  if (event === undefined) return isNamed(field) && !/\.$|\.\./.test(String(field))
  return (
    isNamed(event) &&
    (sum === undefined || isNamed(toNode(sum)["property"])) &&
    (where === undefined || isFinished(toNode(where)))
  )
}
