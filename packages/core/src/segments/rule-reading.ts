import type { RuleNode } from "./rules.ts"

const mostIssues = 100
// Parsing stops after this many nodes, so that a huge tree costs little. The issues found until then are enough.
const mostNodes = 10_000

/** How large a tree of rules may be, with what is in `where`. Depth counts groups: the root is 1. */
export const ruleLimits = { depth: 5, leaves: 50, groups: 200 } as const

/** An object of the input. */
export type Fields = Readonly<Record<string, unknown>>

/** What is wrong with a tree: where, and a sentence that does not repeat the input. */
export interface RuleIssue {
  readonly path: string
  readonly message: string
}

/** What was read of a tree so far. */
export interface Reading {
  readonly issues: Array<RuleIssue>
  /** Whether a single rule may stand in the place of the tree. */
  readonly takesRule: boolean
  leaves: number
  groups: number
}

/** The value of an own key of the node. Inherited keys are ignored. */
export const readOwn = (node: Fields, key: string): unknown => (Object.hasOwn(node, key) ? node[key] : undefined)

/** Notes what is wrong, unless enough was noted. */
export const addIssue = (reading: Reading, path: string, message: string): null => {
  if (reading.issues.length < mostIssues) reading.issues.push({ path, message })
  return null
}

/** Whether no more is read. */
export const isFull = ({ issues, leaves, groups }: Reading) =>
  issues.length >= mostIssues || leaves + groups >= mostNodes

/** Reads one node of a tree. */
export type ReadNode = (reading: Reading, node: unknown, path: string, depth: number) => RuleNode | null
