import { type Component, For, Show } from "solid-js"
import { Button } from "../button.tsx"
import { focusControl } from "../dialogs/keep-focus.ts"
import { JsonView } from "../values/json-view.tsx"
import {
  changeOperator,
  countOperators,
  eventCount,
  eventSubjects,
  eventSum,
  findSubject,
  firstRule,
  listOperators,
  readRest,
  sayOperator,
  userSubjects,
  writeField,
} from "./grammar.ts"
import { RestInput } from "./rest-input.tsx"
import { type NodeProps, without } from "./rule-node.ts"
import { type RuleNode, readGroup, toNode } from "./tree.ts"
import { DurationInput, NumberInput, ValueInput } from "./value-input.tsx"

const subjectName = (rule: RuleNode): string => {
  if ("event" in rule) return "sum" in rule ? eventSum : eventCount
  return findSubject(String(rule["field"]))?.field ?? String(rule["field"])
}

const Subjects = (props: NodeProps) => {
  const headings = () => (props.about === "event" ? eventSubjects : userSubjects)
  const isKnown = () => "event" in props.node || findSubject(String(props.node["field"])) !== null
  return (
    <select aria-label="About" onChange={(event) => props.onNode(firstRule(event.currentTarget.value))}>
      <Show when={!isKnown()}>
        <option selected>{subjectName(props.node)}</option>
      </Show>
      <For each={headings()}>
        {({ heading, subjects }) => (
          <optgroup label={heading}>
            <For each={subjects}>
              {({ field, label }) => (
                <option value={field} selected={field === subjectName(props.node)}>
                  {label}
                </option>
              )}
            </For>
          </optgroup>
        )}
      </For>
      <Show when={props.about === "user"}>
        <optgroup label="Events">
          <option value={eventCount} selected={subjectName(props.node) === eventCount}>
            Number of events …
          </option>
          <option value={eventSum} selected={subjectName(props.node) === eventSum}>
            Sum of a property of events …
          </option>
        </optgroup>
      </Show>
    </select>
  )
}

const Operators = (
  props: NodeProps & {
    readonly operators: ReadonlyArray<string>
    readonly kind: "number" | "any" | "text" | "list" | "time" | "flag"
    readonly onOperator: (op: string) => void
  },
) => {
  const op = () => String(props.node["op"] ?? "gte")
  return (
    <select aria-label="Operator" onChange={(event) => props.onOperator(event.currentTarget.value)}>
      <Show when={!props.operators.includes(op())}>
        <option value={op()} selected>
          {op()}
        </option>
      </Show>
      <For each={props.operators}>
        {(operator) => (
          <option value={operator} selected={operator === op()}>
            {sayOperator(operator, props.kind, props.node["value"])}
          </option>
        )}
      </For>
    </select>
  )
}

const FieldRule = (props: NodeProps) => {
  const field = () => String(props.node["field"])
  const subject = () => findSubject(field())
  const kind = () => subject()?.kind ?? "any"
  return (
    <>
      <Show when={subject()?.rest !== undefined ? subject() : null}>
        {(found) => (
          <RestInput
            subject={found()}
            rest={readRest(found(), field())}
            onRest={(rest) => props.onNode({ ...props.node, field: writeField(found(), rest) })}
          />
        )}
      </Show>
      <Operators
        {...props}
        operators={listOperators(kind())}
        kind={kind()}
        onOperator={(op) => props.onNode(changeOperator(props.node, kind(), op))}
      />
      <ValueInput
        kind={kind()}
        operator={String(props.node["op"])}
        value={props.node["value"]}
        onValue={(value) => props.onNode({ ...props.node, value })}
      />
    </>
  )
}

/** The part that shows groups is given, as a group has rules and a rule has groups. */
type LeafProps = NodeProps & { readonly Group: Component<NodeProps> }

const Where = (props: LeafProps) => {
  let place: HTMLDivElement | undefined
  const put = (node: RuleNode) => {
    props.onNode(node)
    focusControl(() => place)
  }
  const where = () => (props.node["where"] === undefined ? null : toNode(props.node["where"]))
  const given = () => ({
    about: "event" as const,
    issues: props.issues,
    path: `${props.path}.where`,
    depth: props.depth + 1,
    onNode: (node: RuleNode) => props.onNode({ ...props.node, where: node }),
    onRemove: () => put(without(props.node, "where")),
  })
  return (
    <div ref={place} classList={{ "rule-where": where() !== null }}>
      <Show
        when={where()}
        fallback={
          <Button
            kind="link"
            onClick={() => put({ ...props.node, where: { operator: "AND", conditions: [firstRule("properties.")] } })}
          >
            Only some of these events
          </Button>
        }
      >
        {(node) => (
          <>
            <span class="quiet small">Only events of which</span>
            <Show when={readGroup(node())} fallback={<RuleLeaf {...given()} node={node()} Group={props.Group} />}>
              <props.Group {...given()} node={node()} />
            </Show>
          </>
        )}
      </Show>
    </div>
  )
}

const readSum = (node: RuleNode): RuleNode => toNode(node["sum"])

const EventRule = (props: LeafProps) => {
  const isSum = () => "sum" in props.node
  const setSum = (part: RuleNode) => props.onNode({ ...props.node, sum: { ...readSum(props.node), ...part } })
  return (
    <>
      <input
        aria-label="Event"
        placeholder="lesson_completed"
        value={String(props.node["event"] ?? "")}
        onInput={(event) => props.onNode({ ...props.node, event: event.currentTarget.value })}
      />
      <Show when={isSum()}>
        <input
          aria-label="Property to sum"
          placeholder="points"
          value={String(readSum(props.node)["property"] ?? "")}
          onInput={(event) => setSum({ property: event.currentTarget.value })}
        />
      </Show>
      <Operators
        {...props}
        operators={countOperators}
        kind="number"
        onOperator={(op) => props.onNode({ ...props.node, op })}
      />
      <Show
        when={isSum()}
        fallback={
          <NumberInput
            label="Count"
            value={props.node["count"]}
            onValue={(count) => props.onNode({ ...props.node, count })}
          />
        }
      >
        <NumberInput label="Sum" value={readSum(props.node)["value"]} onValue={(value) => setSum({ value })} />
      </Show>
      <select
        aria-label="When"
        onChange={(event) =>
          props.onNode(
            event.currentTarget.value === "ever" ? without(props.node, "within") : { ...props.node, within: "7d" },
          )
        }
      >
        <option value="ever" selected={props.node["within"] === undefined}>
          at any time
        </option>
        <option value="within" selected={props.node["within"] !== undefined}>
          within the last
        </option>
      </select>
      <Show when={props.node["within"] !== undefined}>
        <DurationInput
          label="Within"
          value={props.node["within"]}
          onValue={(within) => props.onNode({ ...props.node, within })}
        />
      </Show>
      <Where {...props} />
    </>
  )
}

/** A rule about a field or about events. */
export const RuleLeaf = (props: LeafProps) => {
  const own = () =>
    props.issues.filter(
      ({ path }) =>
        path === props.path || (path.startsWith(`${props.path}.`) && !path.startsWith(`${props.path}.where.`)),
    )
  return (
    <fieldset class="rule" aria-label="Rule" data-invalid={own().length > 0 ? "true" : undefined}>
      <Show
        when={"event" in props.node || "field" in props.node}
        fallback={<JsonView label="A rule that this page does not know" value={props.node} />}
      >
        {/* It stays while one goes through it by keyboard. */}
        <Subjects {...props} />
        <Show when={"event" in props.node} fallback={<FieldRule {...props} />}>
          <EventRule {...props} />
        </Show>
      </Show>
      <Show when={props.onRemove}>
        {(remove) => (
          <Button kind="link" aria-label="Remove the rule" onClick={() => remove()()}>
            Remove
          </Button>
        )}
      </Show>
      <For each={own()}>
        {({ path, message }) => (
          <p class="fault">
            {path.slice(props.path.length + 1)} {message}
          </p>
        )}
      </For>
    </fieldset>
  )
}
