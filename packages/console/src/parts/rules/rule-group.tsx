import "./rules.css"
import { For, Index, Show } from "solid-js"
import { Button } from "../button.tsx"
import { focusControl } from "../dialogs/keep-focus.ts"
import { firstRule } from "./grammar.ts"
import { RuleLeaf } from "./rule-leaf.tsx"
import type { NodeProps } from "./rule-node.ts"
import { type Operator, type RuleNode, readGroup, withNodes, withOperator } from "./tree.ts"

// Groups inside each other, the root included (docs/segments.md).
const mostDeep = 5

const operators: ReadonlyArray<{ readonly value: Operator; readonly label: string }> = [
  { value: "AND", label: "All of these are true" },
  { value: "OR", label: "At least one of these is true" },
  { value: "NOT", label: "This is not true" },
]

const join = (path: string, ...more: ReadonlyArray<string | number>): string =>
  [path, ...more].filter((part) => part !== "").join(".")

/** A group of rules: how they are joined, and each of them. */
export const RuleGroup = (props: NodeProps) => {
  const group = () => readGroup(props.node) ?? { operator: "AND" as const, key: "conditions", nodes: [] }
  const isFull = () => group().operator === "NOT" && group().nodes.length > 0
  let place: HTMLFieldSetElement | undefined
  let adder: HTMLDivElement | undefined
  /** Who adds or removes a rule goes on with the one that is there then. */
  const goTo = (at: number) =>
    focusControl(() => [...(place?.querySelectorAll(":scope > fieldset") ?? [])].slice(0, at + 1).at(-1) ?? adder)
  const put = (nodes: ReadonlyArray<RuleNode>) => props.onNode(withNodes(props.node, nodes))
  const given = (at: number) => ({
    about: props.about,
    issues: props.issues,
    path: join(props.path, group().key, at),
    depth: props.depth + 1,
    onNode: (node: RuleNode) => put(group().nodes.map((each, index) => (index === at ? node : each))),
    onRemove: () => {
      put(group().nodes.filter((_, index) => index !== at))
      goTo(at)
    },
  })
  const add = (node: RuleNode) => {
    put([...group().nodes, node])
    goTo(group().nodes.length)
  }
  const own = () => props.issues.filter(({ path }) => path === props.path || path === join(props.path, group().key))
  return (
    <fieldset ref={place} class="rule-group" aria-label="Group of rules">
      <div class="rule">
        <select
          aria-label="How the rules are joined"
          onChange={(event) => {
            const chosen = operators[event.currentTarget.selectedIndex]
            if (chosen !== undefined) props.onNode(withOperator(props.node, chosen.value))
          }}
        >
          {operators.map(({ value, label }) => (
            <option selected={value === group().operator}>{label}</option>
          ))}
        </select>
        <Show when={props.onRemove}>
          {(remove) => (
            <Button kind="link" aria-label="Remove the group" onClick={() => remove()()}>
              Remove
            </Button>
          )}
        </Show>
      </div>
      <For each={own()}>{({ message }) => <p class="fault">{message}</p>}</For>
      <Show when={group().nodes.length === 0}>
        <p class="quiet small">{group().operator === "AND" ? "No rule: everybody." : "No rule yet."}</p>
      </Show>
      {/* By place, not by value: a control keeps the focus while one types in it. */}
      <Index each={group().nodes}>
        {(node, at) => (
          <Show when={readGroup(node())} fallback={<RuleLeaf {...given(at)} node={node()} Group={RuleGroup} />}>
            <RuleGroup {...given(at)} node={node()} />
          </Show>
        )}
      </Index>
      <Show when={!isFull()}>
        <div class="row" ref={adder}>
          <Button onClick={() => add(firstRule(props.about === "event" ? "properties." : "last_seen_at"))}>
            Add a rule
          </Button>
          <Show when={props.depth + 1 < mostDeep}>
            <Button onClick={() => add({ operator: "OR", conditions: [] })}>Add a group</Button>
          </Show>
        </div>
      </Show>
    </fieldset>
  )
}
