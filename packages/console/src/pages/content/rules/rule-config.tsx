import { Show } from "solid-js"
import { type FieldIssue, type FieldKind, sayFault } from "../../../parts/editor/field-kind.ts"
import { ChoiceField, Field, TextField } from "../../../parts/field.tsx"
import { JsonView } from "../../../parts/values/json-view.tsx"
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

const joinLines = (value: unknown) => (Array.isArray(value) ? value.join("\n") : "")
const toText = (value: unknown, byDefault = "") => (typeof value === "string" ? value : byDefault)

/** A config as it is typed. */
export const toConfigInput = (value: unknown): ConfigInput => {
  const config: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null ? { ...value } : {}
  return {
    action: toText(config["action"], "flag"),
    keywords: joinLines(config["keywords"]),
    match: toText(config["match"], ""),
    pattern: toText(config["pattern"]),
    allow_domains: joinLines(config["allow_domains"]),
    deny_domains: joinLines(config["deny_domains"]),
  }
}

const splitLines = (text: string) =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")

/** What a config of each type has beside the action. */
const partsByType: Readonly<Record<string, ReadonlyArray<Exclude<keyof ConfigInput, "action">>>> = {
  keyword: ["keywords", "match"],
  regex: ["pattern"],
  link: ["allow_domains", "deny_domains"],
}

const lists: ReadonlySet<string> = new Set(["keywords", "allow_domains", "deny_domains"])

/** The config that is sent for a type of rule: what is empty is left out, and what was typed for another type. */
export const toConfig = (type: string, input: ConfigInput): Record<string, unknown> => {
  const parts = (partsByType[type] ?? []).map((name) => [name, lists.has(name) ? splitLines(input[name]) : input[name]])
  return Object.fromEntries([["action", input.action], ...parts.filter(([, value]) => value?.length !== 0)])
}

/** The fields of a config of a type of rule. */
export const ConfigFields = (props: {
  readonly type: string
  readonly input: ConfigInput
  readonly onInput: (input: ConfigInput) => void
  readonly issues: ReadonlyArray<FieldIssue>
}) => {
  const set = (changes: Partial<ConfigInput>) => props.onInput({ ...props.input, ...changes })
  const faultIn = (name: string) =>
    sayFault(
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
      <Show when={props.type === "keyword"}>
        <TextField
          label="Words"
          required
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
      <Show when={props.type === "regex"}>
        <Field
          label="Pattern"
          required
          hint="A regular expression in the syntax of RE2, in any case."
          spellcheck={false}
          fault={faultIn("pattern")}
          value={props.input.pattern}
          onInput={(event) => set({ pattern: event.currentTarget.value })}
        />
      </Show>
      <Show when={props.type === "link"}>
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
  toValue: (input, { rule_type }) => toConfig(String(rule_type), input as ConfigInput),
  show: (value) => <JsonView label="What the rule looks for" value={value} />,
  Control: (props) => (
    <fieldset>
      <legend>{props.label}</legend>
      <ConfigFields
        type={String(props.inputs["rule_type"])}
        input={props.input as ConfigInput}
        onInput={props.onInput}
        issues={props.issues}
      />
    </fieldset>
  ),
}
