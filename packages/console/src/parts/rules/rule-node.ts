import type { FieldIssue } from "../editor/field-kind.ts"
import type { RuleNode } from "./tree.ts"

/** What every part of the builder is given. */
export interface NodeProps {
  readonly node: RuleNode
  readonly onNode: (node: RuleNode) => void
  /** Rules about users, or those about an event within them. */
  readonly about: "user" | "event"
  readonly issues: ReadonlyArray<FieldIssue>
  /** Where it is in the tree, as the service names it. */
  readonly path: string
  /** How many groups are around it. */
  readonly depth: number
  readonly onRemove?: (() => void) | undefined
}

/** A node without one of its keys. */
export const without = (node: RuleNode, key: string): RuleNode =>
  Object.fromEntries(Object.entries(node).filter(([name]) => name !== key))
