import { Show } from "solid-js"
import { Field } from "../field.tsx"
import type { ControlProps, FieldIssue, FieldKind } from "./field-kind.ts"
import { type RowPart, RowsInput, RowsText, rowsInput, rowsValue, WholeFaults } from "./rows-kind.tsx"

const amountParts: ReadonlyArray<RowPart> = [
  { name: "code", label: "Currency" },
  { name: "amount", label: "Amount", isNumber: true },
]
const itemParts: ReadonlyArray<RowPart> = [
  { name: "key", label: "Key of the item" },
  { name: "quantity", label: "Quantity", isNumber: true },
]
const entitlementParts: ReadonlyArray<RowPart> = [
  { name: "entitlement_id", label: "Entitlement" },
  { name: "days", label: "Days (empty: for good)", isNumber: true, isOptional: true },
]

type Json = Readonly<Record<string, unknown>>

const writeJson = (value: unknown): Json => (typeof value === "object" && value !== null ? (value as Json) : {})

const toAmountRows = (value: unknown) => Object.entries(writeJson(value)).map(([code, amount]) => ({ code, amount }))

const fromAmountRows = (rows: unknown): Json =>
  Object.fromEntries(rowsValue(amountParts, rows).map(({ code, amount }) => [String(code), amount]))

// The service names an amount by its currency, and the form by its place.
const atRows = (issues: ReadonlyArray<FieldIssue>, rows: unknown): ReadonlyArray<FieldIssue> => {
  const codes = rowsValue(amountParts, rows).map(({ code }) => String(code))
  return issues.map((issue) => {
    const at = codes.indexOf(issue.path)
    return at < 0 ? issue : { path: String(at), message: issue.message }
  })
}

const isEmpty = (value: Json): boolean => Object.keys(value).length === 0

/** Amounts by the code of their currency: prices. Where `isNullable`, none is null. */
export const amounts = (isNullable: boolean): FieldKind => ({
  toInput: (value) => rowsInput(amountParts, toAmountRows(value)),
  toValue: (input) => {
    const value = fromAmountRows(input)
    return isNullable && isEmpty(value) ? null : value
  },
  show: (value) => <RowsText parts={amountParts} value={toAmountRows(value)} />,
  Control: (props: ControlProps) => {
    const issues = () => atRows(props.issues, props.input)
    return (
      <fieldset>
        <legend>{props.label}</legend>
        <Show when={props.hint}>
          <span class="quiet small">{props.hint}</span>
        </Show>
        <RowsInput parts={amountParts} label="price" input={props.input} onInput={props.onInput} issues={issues()} />
        <WholeFaults issues={issues()} />
      </fieldset>
    )
  },
})

const within = (issues: ReadonlyArray<FieldIssue>, name: string): ReadonlyArray<FieldIssue> =>
  issues
    .filter(({ path }) => path.startsWith(`${name}.`))
    .map(({ path, message }) => ({ path: path.slice(name.length + 1), message }))

const RewardControl = (props: ControlProps) => {
  const input = () => writeJson(props.input)
  const put = (name: string, value: unknown) => props.onInput({ ...input(), [name]: value })
  const fault = (name: string) => props.issues.find(({ path }) => path === name)?.message
  const rows = (name: string, label: string, parts: ReadonlyArray<RowPart>) => (
    <RowsInput
      parts={parts}
      label={label}
      input={input()[name]}
      onInput={(value) => put(name, value)}
      issues={name === "currencies" ? atRows(within(props.issues, name), input()[name]) : within(props.issues, name)}
    />
  )
  return (
    <fieldset>
      <legend>{props.label}</legend>
      <Show when={props.hint}>
        <span class="quiet small">{props.hint}</span>
      </Show>
      <Field
        label="XP"
        inputMode="numeric"
        fault={fault("xp")}
        value={String(input()["xp"] ?? "")}
        onInput={(event) => put("xp", event.currentTarget.value)}
      />
      {rows("currencies", "amount of a currency", amountParts)}
      {rows("items", "item", itemParts)}
      {rows("entitlements", "entitlement", entitlementParts)}
      <WholeFaults issues={props.issues.filter(({ path }) => !path.includes(".") && path !== "xp")} />
    </fieldset>
  )
}

const RewardText = (props: { readonly value: unknown }) => {
  const value = () => writeJson(props.value)
  return (
    <Show when={!isEmpty(value())} fallback={<span class="quiet">nothing</span>}>
      <Show when={value()["xp"]}>{(xp) => <div>{String(xp())} XP</div>}</Show>
      <Show when={value()["currencies"]}>
        {(found) => <RowsText parts={amountParts} value={toAmountRows(found())} />}
      </Show>
      <Show when={value()["items"]}>{(found) => <RowsText parts={itemParts} value={found()} />}</Show>
      <Show when={value()["entitlements"]}>{(found) => <RowsText parts={entitlementParts} value={found()} />}</Show>
    </Show>
  )
}

/** What users are given: currencies, XP, items, entitlements. Where `isNullable`, nothing is null. */
export const reward = (isNullable: boolean): FieldKind => ({
  toInput: (value) => ({
    xp: String(writeJson(value)["xp"] ?? ""),
    currencies: rowsInput(amountParts, toAmountRows(writeJson(value)["currencies"])),
    items: rowsInput(itemParts, writeJson(value)["items"]),
    entitlements: rowsInput(entitlementParts, writeJson(value)["entitlements"]),
  }),
  toValue: (input) => {
    const { xp, currencies, items, entitlements } = writeJson(input)
    const given: Record<string, unknown> = {}
    if (xp !== "") given["xp"] = Number.isFinite(Number(xp)) ? Number(xp) : xp
    const amountsGiven = fromAmountRows(currencies)
    if (!isEmpty(amountsGiven)) given["currencies"] = amountsGiven
    const itemsGiven = rowsValue(itemParts, items)
    if (itemsGiven.length > 0) given["items"] = itemsGiven
    const entitlementsGiven = rowsValue(entitlementParts, entitlements)
    if (entitlementsGiven.length > 0) given["entitlements"] = entitlementsGiven
    return isNullable && isEmpty(given) ? null : given
  },
  show: (value) => <RewardText value={value} />,
  Control: RewardControl,
})
