import { batch, createSignal, Match, Show, Switch } from "solid-js"
import { dateInput, lastTimes } from "../date-input.ts"
import { fromLocalInput, toLocalInput } from "../editor/kinds.tsx"
import { chooseControl, firstValue, type ValueKind } from "./grammar.ts"

interface ValueProps {
  readonly value: unknown
  readonly onValue: (value: unknown) => void
  readonly label: string
}

/** A number as it is typed: "1." stays so until more comes. What is no number is kept as text, and refused by the service. */
export const NumberInput = (props: ValueProps) => {
  const [typed, setTyped] = createSignal<string | null>(null)
  const parse = (text: string): unknown => (text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : text)
  const shown = () => {
    const text = typed()
    return text !== null && parse(text) === props.value ? text : String(props.value ?? "")
  }
  return (
    <input
      class="short"
      inputMode="decimal"
      aria-label={props.label}
      value={shown()}
      onInput={(event) => {
        const text = event.currentTarget.value
        // At once: what is typed is shown as long as it is the value.
        batch(() => {
          setTyped(text)
          props.onValue(parse(text))
        })
      }}
    />
  )
}

const units = [
  { value: "d", label: "days" },
  { value: "h", label: "hours" },
  { value: "m", label: "minutes" },
]

/** So many days, hours or minutes. */
export const DurationInput = (props: ValueProps) => {
  const parts = () => /^(.*?)([dhm]?)$/.exec(String(props.value ?? "")) ?? ["", "", "d"]
  const amount = () => parts()[1] ?? ""
  const unit = () => parts()[2] || "d"
  return (
    <>
      <input
        class="short"
        inputMode="numeric"
        aria-label={`${props.label}: how many`}
        value={amount()}
        onInput={(event) => props.onValue(`${event.currentTarget.value}${unit()}`)}
      />
      <select
        aria-label={`${props.label}: unit`}
        onChange={(event) => props.onValue(`${amount()}${event.currentTarget.value}`)}
      >
        {units.map(({ value, label }) => (
          <option value={value} selected={value === unit()}>
            {label}
          </option>
        ))}
      </select>
    </>
  )
}

const Chosen = (
  props: ValueProps & { readonly choices: ReadonlyArray<{ readonly value: unknown; readonly label: string }> },
) => (
  <select
    aria-label={props.label}
    onChange={(event) => props.onValue(props.choices[event.currentTarget.selectedIndex]?.value)}
  >
    {props.choices.map(({ value, label }) => (
      <option selected={value === props.value}>{label}</option>
    ))}
  </select>
)

const sorts = [
  { value: "text", label: "text" },
  { value: "number", label: "number" },
  { value: "flag", label: "true or false" },
  { value: "time", label: "time" },
] as const

/** The value of a rule, as its operator and what it is about ask for it. */
export const ValueInput = (props: {
  readonly kind: ValueKind
  readonly operator: string
  readonly value: unknown
  readonly onValue: (value: unknown) => void
}) => {
  const control = () => chooseControl(props.kind, props.operator, props.value)
  const given = () => ({ value: props.value, onValue: props.onValue, label: "Value" })
  return (
    <>
      <Show when={props.kind === "any" && control() !== "none" && control() !== "duration"}>
        <select
          aria-label="Type of the value"
          onChange={(event) => props.onValue(firstValue(sorts[event.currentTarget.selectedIndex]?.value ?? "text"))}
        >
          {sorts.map(({ value, label }) => (
            <option selected={value === control()}>{label}</option>
          ))}
        </select>
      </Show>
      <Switch>
        <Match when={control() === "duration"}>
          <DurationInput {...given()} />
        </Match>
        <Match when={control() === "number"}>
          <NumberInput {...given()} />
        </Match>
        <Match when={control() === "flag"}>
          <Chosen
            {...given()}
            choices={[
              { value: true, label: "true" },
              { value: false, label: "false" },
            ]}
          />
        </Match>
        <Match when={control() === "list"}>
          <Chosen
            {...given()}
            choices={[
              { value: "email", label: "email" },
              { value: "idp_a", label: "Apple" },
              { value: "idp_b", label: "Google" },
            ]}
          />
        </Match>
        <Match when={control() === "time"}>
          <input
            type="datetime-local"
            step="1"
            max={lastTimes["datetime-local"]}
            aria-label="Value"
            {...dateInput(
              () => toLocalInput(props.value),
              (text) => props.onValue(fromLocalInput(text) ?? ""),
            )}
          />
        </Match>
        <Match when={control() === "text"}>
          <input
            aria-label="Value"
            value={typeof props.value === "string" ? props.value : ""}
            onInput={(event) => props.onValue(event.currentTarget.value)}
          />
        </Match>
      </Switch>
    </>
  )
}
