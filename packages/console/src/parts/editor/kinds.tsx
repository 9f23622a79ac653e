import { Show } from "solid-js"
import { dateInput } from "../date-input.ts"
import { type Choice, ChoiceField, Field, FlagField, TextField } from "../field.tsx"
import { JsonView } from "../values/json-view.tsx"
import { Time } from "../values/time.tsx"
import { type ControlProps, type FieldKind, NoValue, sayFault } from "./field-kind.ts"

const toText = (input: unknown): string => (typeof input === "string" ? input : "")

const shared = (props: ControlProps) => ({
  label: props.label,
  hint: props.hint,
  fault: sayFault(props.issues),
  required: props.required === true,
})

const None = () => <span class="quiet">–</span>

const Plain = (props: { readonly value: unknown }) => (
  <Show when={props.value !== null && props.value !== undefined && props.value !== ""} fallback={<None />}>
    {String(props.value)}
  </Show>
)

// An empty control is null: the service says whether there must be something.
const textKind = {
  toInput: (value: unknown) => (value === null || value === undefined ? "" : String(value)),
  toValue: (input: unknown) => (toText(input) === "" ? null : toText(input)),
  show: (value: unknown) => <Plain value={value} />,
}

/** A line of text. */
export const line: FieldKind = {
  ...textKind,
  Control: (props) => (
    <Field
      {...shared(props)}
      value={toText(props.input)}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
  ),
}

/** Several lines of text. */
export const lines: FieldKind = {
  ...textKind,
  Control: (props) => (
    <TextField
      {...shared(props)}
      rows={3}
      value={toText(props.input)}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
  ),
}

/** A number; what is none is sent as it is, and refused by the service. */
export const number: FieldKind = {
  ...textKind,
  toValue: (input) => {
    const text = toText(input).trim()
    if (text === "") return null
    return Number.isFinite(Number(text)) ? Number(text) : text
  },
  Control: (props) => (
    <Field
      {...shared(props)}
      inputMode="decimal"
      value={toText(props.input)}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
  ),
}

/** Yes or no. */
export const flag: FieldKind = {
  toInput: (value) => value === true,
  toValue: (input) => input === true,
  show: (value) => (value === true ? "yes" : "no"),
  Control: (props) => (
    <FlagField
      {...shared(props)}
      checked={props.input === true}
      onChange={(event) => props.onInput(event.currentTarget.checked)}
    />
  ),
}

/** One of a few. An empty value is null. */
export const choice = (choices: () => ReadonlyArray<string | Choice>): FieldKind => ({
  ...textKind,
  show: (value) => {
    const found = choices().find((each) => typeof each !== "string" && each.value === value)
    return <Plain value={typeof found === "object" ? found.name : value} />
  },
  Control: (props) => (
    <ChoiceField
      {...shared(props)}
      choices={choices()}
      value={toText(props.input)}
      onChange={(event) => props.onInput(event.currentTarget.value)}
    />
  ),
})

const pad = (part: number): string => String(part).padStart(2, "0")

/** An instant as the control takes it: the clock of the viewer. */
export const toLocalInput = (at: unknown): string => {
  const date = new Date(String(at))
  if (at === null || at === undefined || Number.isNaN(date.getTime())) return ""
  const day = `${String(date.getFullYear()).padStart(4, "0")}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

/** What the control says, as an instant; null where it is empty or not finished. */
export const fromLocalInput = (text: string): string | null => {
  const date = new Date(text)
  return text === "" || Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** An instant, in the viewer's zone. An untouched one keeps what the control does not show, its milliseconds. */
export const instant: FieldKind = {
  toInput: (value) => value ?? null,
  toValue: (input) => input ?? null,
  show: (value) => <Time at={typeof value === "string" ? value : null} />,
  Control: (props) => (
    <Field
      {...shared(props)}
      type="datetime-local"
      step="1"
      {...dateInput(
        () => toLocalInput(props.input),
        (text) => props.onInput(fromLocalInput(text)),
      )}
    />
  ),
}

/** Any JSON, typed as such. Empty is null. */
export const json: FieldKind = {
  toInput: (value) => (value === null || value === undefined ? "" : JSON.stringify(value, null, 2)),
  toValue: (input) => {
    const text = toText(input).trim()
    if (text === "") return null
    try {
      return JSON.parse(text)
    } catch {
      throw new NoValue("is not JSON")
    }
  },
  show: (value) => (value === null || value === undefined ? <None /> : <JsonView label="JSON" value={value} />),
  Control: (props) => (
    <TextField
      {...shared(props)}
      rows={6}
      spellcheck={false}
      value={toText(props.input)}
      onInput={(event) => props.onInput(event.currentTarget.value)}
    />
  ),
}
