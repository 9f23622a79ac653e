import { For, Index, Show } from "solid-js"
import { Button } from "../button.tsx"
import { focusControl } from "../dialogs/keep-focus.ts"
import type { ControlProps, FieldIssue, FieldKind } from "./field-kind.ts"

/** A part of each row of a list. */
export interface RowPart {
  readonly name: string
  readonly label: string
  readonly isNumber?: boolean
  /** Empty is null. */
  readonly isOptional?: boolean
  /** What it is one of; what is stored and is none of them stays. */
  readonly choices?: ReadonlyArray<string>
}

type Row = Readonly<Record<string, unknown>>

const toRows = (value: unknown): ReadonlyArray<Row> => (Array.isArray(value) ? value : [])

const toText = (value: unknown): string => (value === null || value === undefined ? "" : String(value))

const partValue = ({ isNumber, isOptional }: RowPart, input: unknown): unknown => {
  const text = toText(input)
  if (text === "") return isOptional === true ? null : ""
  return isNumber === true && Number.isFinite(Number(text)) ? Number(text) : text
}

/** Rows as they are typed: every part is text. Keys that are no parts are kept. */
export const rowsInput = (parts: ReadonlyArray<RowPart>, value: unknown): ReadonlyArray<Row> =>
  toRows(value).map((row) => ({ ...row, ...Object.fromEntries(parts.map(({ name }) => [name, toText(row[name])])) }))

/** The rows that are sent. */
export const rowsValue = (parts: ReadonlyArray<RowPart>, input: unknown): ReadonlyArray<Row> =>
  toRows(input).map((row) => ({
    ...row,
    ...Object.fromEntries(parts.map((part) => [part.name, partValue(part, row[part.name])])),
  }))

const isAbout = ({ path }: FieldIssue, at: number): boolean => path === String(at) || path.startsWith(`${at}.`)

interface PartInputProps {
  readonly part: RowPart
  readonly value: string
  readonly onInput: (value: string) => void
}

const PartInput = (props: PartInputProps) => {
  const listed = () => [...new Set(["", props.value, ...(props.part.choices ?? [])])]
  return (
    <label>
      <span class="small">{props.part.label}</span>
      <Show
        when={props.part.choices !== undefined}
        fallback={
          <input
            inputMode={props.part.isNumber === true ? "decimal" : "text"}
            value={props.value}
            onInput={(event) => props.onInput(event.currentTarget.value)}
          />
        }
      >
        <select onChange={(event) => props.onInput(event.currentTarget.value)}>
          <For each={listed()}>
            {(choice) => (
              <option value={choice} selected={choice === props.value}>
                {choice || "Choose …"}
              </option>
            )}
          </For>
        </select>
      </Show>
    </label>
  )
}

/** Rows, each with its parts, and the ways to add and remove one. */
export const RowsInput = (props: {
  readonly parts: ReadonlyArray<RowPart>
  readonly label: string
  readonly input: unknown
  readonly onInput: (rows: ReadonlyArray<Row>) => void
  readonly issues: ReadonlyArray<FieldIssue>
}) => {
  const rows = () => toRows(props.input)
  let place: HTMLDivElement | undefined
  /** Who adds or removes a row goes on with the one that is there then. */
  const goTo = (at: number) =>
    focusControl(() => [...(place?.querySelectorAll(":scope > fieldset") ?? [])].slice(0, at + 1).at(-1) ?? place)
  const remove = (at: number) => {
    props.onInput(rows().filter((_, index) => index !== at))
    goTo(at)
  }
  const add = () => {
    props.onInput([...rows(), Object.fromEntries(props.parts.map(({ name }) => [name, ""]))])
    goTo(rows().length)
  }
  const put = (at: number, row: Row) => props.onInput(rows().map((each, index) => (index === at ? row : each)))
  return (
    <div class="rows" ref={place}>
      <Index each={rows()}>
        {(row, at) => (
          <fieldset aria-label={`${props.label}, ${at + 1}`}>
            <For each={props.parts}>
              {(part) => (
                <PartInput
                  part={part}
                  value={toText(row()[part.name])}
                  onInput={(value) => put(at, { ...row(), [part.name]: value })}
                />
              )}
            </For>
            <Button kind="link" aria-label={`Remove ${props.label}, ${at + 1}`} onClick={() => remove(at)}>
              Remove
            </Button>
            <For each={props.issues.filter((issue) => isAbout(issue, at))}>
              {({ path, message }) => (
                <p class="fault">
                  {path.slice(String(at).length + 1)} {message}
                </p>
              )}
            </For>
          </fieldset>
        )}
      </Index>
      <div>
        <Button onClick={add}>
          Add {/^[aeiou]/i.test(props.label) ? "an" : "a"} {props.label}
        </Button>
      </div>
    </div>
  )
}

/** Rows to be read. */
export const RowsText = (props: { readonly parts: ReadonlyArray<RowPart>; readonly value: unknown }) => (
  <Show when={toRows(props.value).length > 0} fallback={<span class="quiet">–</span>}>
    <ul>
      <For each={toRows(props.value)}>
        {(row) => <li>{props.parts.map(({ name, label }) => `${label}: ${toText(row[name]) || "–"}`).join(" · ")}</li>}
      </For>
    </ul>
  </Show>
)

/** What is wrong with the field as a whole, and not with a row. */
export const WholeFaults = (props: { readonly issues: ReadonlyArray<FieldIssue> }) => (
  <For each={props.issues.filter(({ path }) => !/^\d+(\.|$)/.test(path))}>
    {({ path, message }) => (
      <p class="fault">
        {path} {message}
      </p>
    )}
  </For>
)

/** A list of rows of parts. */
export const rowsKind = (parts: ReadonlyArray<RowPart>, one: string): FieldKind => ({
  toInput: (value) => rowsInput(parts, value),
  toValue: (input) => rowsValue(parts, input),
  show: (value) => <RowsText parts={parts} value={value} />,
  Control: (props: ControlProps) => (
    <fieldset>
      <legend>{props.label}</legend>
      <Show when={props.hint}>
        <span class="quiet small">{props.hint}</span>
      </Show>
      <RowsInput parts={parts} label={one} input={props.input} onInput={props.onInput} issues={props.issues} />
      <WholeFaults issues={props.issues} />
    </fieldset>
  ),
})
