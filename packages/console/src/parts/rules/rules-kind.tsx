import { keepPreviousData } from "@tanstack/solid-query"
import { createEffect, createSignal, For, Match, onCleanup, Show, Switch } from "solid-js"
import type { Schemas } from "../../api.ts"
import { useProject } from "../../shell/project.tsx"
import { createQuery } from "../create-query.ts"
import type { ProjectPath } from "../editor/definition.ts"
import type { ControlProps, FieldIssue, FieldKind } from "../editor/field-kind.ts"
import { readIssues } from "../editor/read-issues.ts"
import { ErrorNote } from "../error-note.tsx"
import { UserLink } from "../values/user-link.tsx"
import { RuleGroup } from "./rule-group.tsx"
import { RuleText } from "./rule-text.tsx"
import { isFinished, type RuleNode, toGroup } from "./tree.ts"

/** How many users rules describe now, and some of them. */
export interface RuleCount {
  readonly count: number
  /** Some of them, with a name where there is one. */
  readonly users: ReadonlyArray<{ readonly id: string; readonly name: string | null }>
}

/** Asks the service how many users there are. */
export type CountUsers = (path: ProjectPath, rules: Schemas["RuleTree"], signal: AbortSignal) => Promise<RuleCount>

// Nobody wants a number for every letter.
const typingMillis = 300

const findIssues = (error: unknown, field: string): ReadonlyArray<FieldIssue> =>
  readIssues(error).map(({ path, message }) => ({ path: path.slice(field.length + 1), message }))

/** The number for the rules as they stand a moment after the last change. A newer question ends the older one. */
const useCount = (rules: () => RuleNode, name: string, count: CountUsers) => {
  const project = useProject()
  const [asked, setAsked] = createSignal(rules())
  createEffect(() => {
    const now = rules()
    const timer = setTimeout(() => setAsked(now), typingMillis)
    onCleanup(() => clearTimeout(timer))
  })
  return createQuery(() => ({
    queryKey: [`${name}-count`, project.id(), JSON.stringify(asked())],
    queryFn: ({ signal }) => count(project.path(), asked() as unknown as Schemas["RuleTree"], signal),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    enabled: isFinished(asked()),
  }))
}

const Counted = (props: { readonly of: RuleCount; readonly says: (count: number) => string }) => {
  return (
    <>
      <strong>{props.says(props.of.count)}</strong>
      <Show when={props.of.users.length > 0}>
        <span class="quiet small">
          {", among them "}
          <For each={props.of.users.slice(0, 3)}>
            {({ id, name }, at) => (
              <>
                {at() > 0 ? ", " : ""}
                <UserLink id={id} name={name} />
              </>
            )}
          </For>
        </span>
      </Show>
    </>
  )
}

/** Rules, built piece by piece, with the number of users that they describe. `name` is the field's, as the service names it. */
export const rules = (name: string, says: (count: number) => string, count: CountUsers): FieldKind => {
  const Control = (props: ControlProps) => {
    const node = () => toGroup(props.input)
    const counted = useCount(node, name, count)
    const issues = () => (props.issues.length > 0 ? props.issues : findIssues(counted.error, name))
    return (
      <fieldset class="rules">
        <legend>{props.label}</legend>
        <RuleGroup node={node()} onNode={props.onInput} about="user" issues={issues()} path="" depth={0} />
        <div class="rule-count" aria-live="polite" aria-busy={counted.isFetching}>
          <Switch fallback={<span class="quiet">Counting …</span>}>
            <Match when={!isFinished(node())}>
              <span class="quiet">The rules are not finished.</span>
            </Match>
            <Match when={counted.error}>
              <ErrorNote error={counted.error} />
            </Match>
            <Match when={counted.data}>{(found) => <Counted of={found()} says={says} />}</Match>
          </Switch>
        </div>
      </fieldset>
    )
  }
  return {
    toInput: toGroup,
    toValue: (input) => input,
    show: (value) => <RuleText node={value} />,
    Control,
  }
}
