import { Show } from "solid-js"
import { type FieldIssue, type FieldKind, faultOf } from "../../../parts/editor/field-kind.ts"
import { ChoiceField, Field, TextField } from "../../../parts/field.tsx"
import { JsonView } from "../../../parts/json-view.tsx"
import { ruleActions } from "./rule-types.ts"

/** What is typed of a config: lists have a line for each entry. */
export interface ConfigInput {
  readonly action: string
  readonly keywords: string
  readonly match: string
  readonly pattern: string
  readonly allow_domains: string
  readonly deny_domains: string
}

const linesOf = (value: unknown) => (Array.isArray(value) ? value.join("\n") : "")
const textOf = (value: unknown, byDefault = "") => (typeof value === "string" ? value : byDefault)

/** A config as it is typed. */
export const toConfigInput = (value: unknown): ConfigInput => {
  const config: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {}
  return {
    action: textOf(config["action"], "flag"),
    keywords: linesOf(config["keywords"]),
    match: textOf(config["match"], ""),
    pattern: textOf(config["pattern"]),
    allow_domains: linesOf(config["allow_domains"]),
    deny_domains: linesOf(config["deny_domains"]),
  }
}

const entriesOf = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** The config that is sent: what is empty is left out. */
export const toConfig = (input: ConfigInput): Record<string, unknown> => {
  const lists = (["keywords", "allow_domains", "deny_domains"] as const).map((name) => [name, entriesOf(input[name])])
  return Object.fromEntries([
    ["action", input.action],
    ...(["match", "pattern"] as const).map((name) => [name, input[name]]).filter(([, value]) => value !== ""),
    ...lists.filter(([, list]) => list?.length !== 0),
  ])
}

/** The fields of a config: those of a type of rule, or all of them where it is not known. */
export const ConfigFields = (props: {
  readonly type?: string
  readonly input: ConfigInput
  readonly onInput: (input: ConfigInput) => void
  readonly issues: ReadonlyArray<FieldIssue>
}) => {
  const set = (changes: Partial<ConfigInput>) => props.onInput({ ...props.input, ...changes })
  const isOf = (type: string) => props.type === undefined || props.type === type
  const faultIn = (name: string) =>
    faultOf(
      props.issues
        .filter(({ path }) => path === name || path.startsWith(`${name}.`))
        .map(({ path, message }) => ({ path: path.slice(name.length + 1), message })),
    )
  return (
    <>
      <ChoiceField
        label="What a match leads to"
        required
        choices={[...ruleActions]}
        value={props.input.action}
        fault={faultIn("action")}
        onChange={(event) => set({ action: event.currentTarget.value })}
      />
      <Show when={isOf("keyword")}>
        <TextField
          label="Words"
          hint="One a line; upper and lower case are the same."
          fault={faultIn("keywords")}
          value={props.input.keywords}
          onInput={(event) => set({ keywords: event.currentTarget.value })}
        />
        <ChoiceField
          label="Where words match"
          choices={[
            { value: "", name: "As whole words" },
            { value: "word", name: "As whole words (said so)" },
            { value: "substring", name: "Also within words" },
          ].filter(({ value }) => value !== "word" || props.input.match === "word")}
          value={props.input.match}
          fault={faultIn("match")}
          onChange={(event) => set({ match: event.currentTarget.value })}
        />
      </Show>
      <Show when={isOf("regex")}>
        <Field
          label="Pattern"
          hint="A regular expression in the syntax of RE2, in any case."
          spellcheck={false}
          fault={faultIn("pattern")}
          value={props.input.pattern}
          onInput={(event) => set({ pattern: event.currentTarget.value })}
        />
      </Show>
      <Show when={isOf("link")}>
        <TextField
          label="Domains that links may lead to"
          hint="One a line, with all below it; others match. Without any list every link matches."
          fault={faultIn("allow_domains")}
          value={props.input.allow_domains}
          onInput={(event) => set({ allow_domains: event.currentTarget.value })}
        />
        <TextField
          label="Domains that links may not lead to"
          hint="One a line, with all below it."
          fault={faultIn("deny_domains")}
          value={props.input.deny_domains}
          onInput={(event) => set({ deny_domains: event.currentTarget.value })}
        />
      </Show>
    </>
  )
}

/** What a moderation rule looks for, and what a match leads to. */
export const ruleConfig: FieldKind = {
  toInput: toConfigInput,
  toValue: (input) => toConfig(input as ConfigInput),
  show: (value) => <JsonView label="What the rule looks for" value={value} />,
  Control: (props) => (
    <fieldset>
      <legend>{props.label}</legend>
      <ConfigFields input={props.input as ConfigInput} onInput={props.onInput} issues={props.issues} />
    </fieldset>
  ),
}
