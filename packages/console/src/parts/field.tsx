import { Field as Base } from "@ark-ui/solid/field"
import { For, type JSX, Show, splitProps } from "solid-js"
import { lastTimes } from "./date-input.ts"

interface Labelled {
  readonly label: string
  readonly hint?: string | undefined
  /** What is wrong with it. */
  readonly fault?: string | undefined
  readonly required?: boolean
  /** A field for looking things up: nobody has to be told that it may be empty. */
  readonly isSearch?: boolean
}

const split = <Props extends Labelled>(props: Props) => splitProps(props, ["label", "hint", "fault", "required"])

const Around = (props: Labelled & { readonly children: JSX.Element }) => (
  <Base.Root class="field" required={props.required === true} invalid={props.fault !== undefined}>
    <Base.Label>
      {props.label}
      <Show when={props.required !== true && props.isSearch !== true}>
        <span class="quiet"> (optional)</span>
      </Show>
    </Base.Label>
    {props.children}
    <Show when={props.hint}>
      <Base.HelperText class="quiet small">{props.hint}</Base.HelperText>
    </Show>
    <Base.ErrorText class="fault">{props.fault}</Base.ErrorText>
  </Base.Root>
)

const inZone = `In your zone, ${Intl.DateTimeFormat().resolvedOptions().timeZone}.`

/** A line of text, with its label. A time says whose zone it is in. */
export const Field = (props: Labelled & Omit<JSX.InputHTMLAttributes<HTMLInputElement>, "class">) => {
  const [own, rest] = split(props)
  const hint = () => [own.hint, rest.type === "datetime-local" ? inZone : ""].filter(Boolean).join(" ")
  return (
    <Around {...own} hint={hint()} isSearch={rest.type === "search"}>
      <Base.Input max={lastTimes[rest.type ?? ""]} {...rest} />
    </Around>
  )
}

/** Several lines of text. */
export const TextField = (props: Labelled & Omit<JSX.TextareaHTMLAttributes<HTMLTextAreaElement>, "class">) => {
  const [own, rest] = split(props)
  return (
    <Around {...own}>
      <Base.Textarea rows={4} {...rest} />
    </Around>
  )
}

/** A value, and what it is called. */
export interface Choice {
  readonly value: string
  readonly name: string
}

/** One of a few. */
export const ChoiceField = (
  props: Labelled &
    Omit<JSX.SelectHTMLAttributes<HTMLSelectElement>, "class"> & { readonly choices: ReadonlyArray<string | Choice> },
) => {
  const [own, mine, rest] = splitProps(props, ["label", "hint", "fault", "required"], ["choices", "value"])
  return (
    <Around {...own}>
      <Base.Select {...rest}>
        <For
          each={mine.choices.map((choice) => (typeof choice === "string" ? { value: choice, name: choice } : choice))}
        >
          {({ value, name }) => (
            <option value={value} selected={value === mine.value}>
              {name}
            </option>
          )}
        </For>
      </Base.Select>
    </Around>
  )
}

/** Yes or no. */
export const FlagField = (props: Labelled & Omit<JSX.InputHTMLAttributes<HTMLInputElement>, "class" | "type">) => {
  const [own, rest] = split(props)
  return (
    <Base.Root class="field flag" invalid={own.fault !== undefined}>
      <Base.Label>
        <Base.Input type="checkbox" {...rest} /> {own.label}
      </Base.Label>
      <Show when={own.hint}>
        <Base.HelperText class="quiet small">{own.hint}</Base.HelperText>
      </Show>
      <Base.ErrorText class="fault">{own.fault}</Base.ErrorText>
    </Base.Root>
  )
}
