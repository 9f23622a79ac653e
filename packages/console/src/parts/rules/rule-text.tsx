import "./rules.css"
import { For, Match, Show, Switch } from "solid-js"
import { findSubject, sayOperator } from "./grammar.ts"
import { sayDuration, sayField, sayValue } from "./say.ts"
import { type RuleNode, readGroup, toNode } from "./tree.ts"

const joined = { AND: "all of these", OR: "one of these", NOT: "not this" } as const

const sayFieldRule = (rule: RuleNode): string => {
  const field = String(rule["field"])
  const subject = findSubject(field)
  const op = String(rule["op"])
  const value = /exists$/.test(op)
    ? ""
    : ` ${/within$/.test(op) ? sayDuration(rule["value"]) : sayValue(rule["value"])}`
  return `${sayField(field)} ${sayOperator(op, subject?.kind ?? "any", rule["value"])}${value}`
}

const sayEvent = (rule: RuleNode): string => {
  const operator = sayOperator(String(rule["op"] ?? "gte"), "number")
  const sum = rule["sum"] as { readonly property?: unknown; readonly value?: unknown } | undefined
  const within =
    rule["within"] === undefined || rule["within"] === null ? "" : ` in the last ${sayDuration(rule["within"])}`
  const event = `“${String(rule["event"])}”`
  return sum === undefined
    ? `The number of ${event}${within} ${operator} ${String(rule["count"])}`
    : `The sum of “${String(sum.property)}” of ${event}${within} ${operator} ${String(sum.value)}`
}

/** A rule in words. */
const sayRule = (rule: RuleNode): string =>
  "event" in rule ? sayEvent(rule) : "field" in rule ? sayFieldRule(rule) : JSON.stringify(rule)

const Mark = (props: { readonly node: RuleNode }) => (
  <Show when={typeof props.node["matches"] === "boolean"}>
    <span class={props.node["matches"] === true ? "holds" : "fails"}>
      {props.node["matches"] === true ? "✓ true" : "✗ false"}
    </span>
  </Show>
)

/** What a rule was compared with, where it was explained. */
const Actual = (props: { readonly node: RuleNode }) => (
  <Show when={"actual" in props.node}>
    <span class="quiet">
      {" – "}
      <Show when={props.node["is_missing"] !== true} fallback="the user has none">
        has {sayValue(props.node["actual"])}
      </Show>
    </span>
  </Show>
)

/** Rules in words, as a nested list; where they are explained for a user, with what was compared and what came of it. */
export const RuleText = (props: { readonly node: unknown }) => {
  const node = () => toNode(props.node)
  return (
    <Switch
      fallback={
        <>
          <Mark node={node()} /> {sayRule(node())}
          <Actual node={node()} />
          <Show when={node()["where"]}>
            {(where) => (
              <div class="rule-where">
                Only those of which <RuleText node={where()} />
              </div>
            )}
          </Show>
        </>
      }
    >
      <Match when={readGroup(node())}>
        {(group) => (
          <div class="rule-text">
            <Mark node={node()} />{" "}
            <Show when={group().nodes.length > 0} fallback={group().operator === "OR" ? "nobody" : "everybody"}>
              {joined[group().operator]}
              <ul>
                <For each={group().nodes}>
                  {(child) => (
                    <li>
                      <RuleText node={child} />
                    </li>
                  )}
                </For>
              </ul>
            </Show>
          </div>
        )}
      </Match>
    </Switch>
  )
}
