import { Clipboard } from "@ark-ui/solid/clipboard"
import { createSignal, Show } from "solid-js"
import { Button } from "../../parts/button.tsx"
import { type ControlProps, type FieldKind, NoValue, sayFault } from "../../parts/editor/field-kind.ts"
import { Field, TextField } from "../../parts/field.tsx"

const textOf = (input: unknown): string => (typeof input === "string" ? input : "")

const makeUp = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => byte.toString(16).padStart(2, "0")).join("")

// What is known of a secret is whether there is one. An empty control leaves it as it is.
const writeOnly = {
  toInput: () => "",
  toValue: (input: unknown): unknown => (textOf(input) === "" ? null : textOf(input)),
  show: (value: unknown) => (value === true ? "is set" : typeof value === "boolean" ? "not set" : "what you typed"),
}

const shared = (props: ControlProps) => ({
  label: props.label,
  hint: props.hint,
  fault: sayFault(props.issues),
  autocomplete: "new-password",
  spellcheck: false,
  value: textOf(props.input),
})

const Secret = (props: ControlProps) => {
  const [isShown, setIsShown] = createSignal(false)
  return (
    <div class="page">
      <Field
        {...shared(props)}
        type={isShown() ? "text" : "password"}
        onInput={(event) => props.onInput(event.currentTarget.value)}
      />
      <div class="row">
        <Button
          onClick={() => {
            props.onInput(makeUp())
            setIsShown(true)
          }}
        >
          Make one up
        </Button>
        <Show when={textOf(props.input) !== ""}>
          <Button onClick={() => setIsShown(!isShown())}>{isShown() ? "Hide" : "Show"}</Button>
          <Clipboard.Root value={textOf(props.input)}>
            <Clipboard.Trigger class="button plain" aria-label="Copy the secret">
              <Clipboard.Indicator copied="Copied">Copy the secret</Clipboard.Indicator>
            </Clipboard.Trigger>
          </Clipboard.Root>
        </Show>
      </div>
    </div>
  )
}

/** A secret of one line. It is sent, and never shown again. */
export const secretLine: FieldKind = { ...writeOnly, Control: Secret }

/** A secret of several lines, such as a key. */
export const secretText: FieldKind = {
  ...writeOnly,
  Control: (props) => (
    <TextField {...shared(props)} rows={6} onInput={(event) => props.onInput(event.currentTarget.value)} />
  ),
}

/** A secret that is JSON, such as the file of a service account. */
export const secretJson: FieldKind = {
  ...secretText,
  toValue: (input) => {
    const text = textOf(input).trim()
    if (text === "") return null
    try {
      return JSON.parse(text)
    } catch {
      throw new NoValue("is not JSON")
    }
  },
}
