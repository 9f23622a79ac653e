import { type FieldDescription, type FieldIssue, NoValue } from "./field-kind.ts"
import { isSame } from "./same.ts"

/** Values by the name of their field. */
export type Values = Readonly<Record<string, unknown>>

/** A field that somebody else has changed too, while one was at it. */
export interface Conflict {
  readonly field: FieldDescription
  readonly mine: unknown
  readonly theirs: unknown
}

/** What the controls hold for a record. */
export const toInputs = (fields: ReadonlyArray<FieldDescription>, record: Values): Values =>
  Object.fromEntries(fields.map(({ name, kind }) => [name, kind.toInput(record[name])]))

/** The values of what was typed, and what is no value. */
export const toValues = (
  fields: ReadonlyArray<FieldDescription>,
  inputs: Values,
): { readonly values: Values; readonly issues: ReadonlyArray<FieldIssue> } => {
  const values: Record<string, unknown> = {}
  const issues: Array<FieldIssue> = []
  for (const { name, kind } of fields) {
    try {
      values[name] = kind.toValue(inputs[name], inputs)
    } catch (error) {
      if (!(error instanceof NoValue)) throw error
      issues.push({ path: name, message: error.message })
    }
  }
  return { values, issues }
}

/** Whether what was typed in a field is another value than the record's. What is no value is another one. */
export const isChanged = ({ name, kind }: FieldDescription, inputs: Values, record: Values): boolean => {
  try {
    return !isSame(kind.toValue(inputs[name], inputs), kind.toValue(kind.toInput(record[name]), record))
  } catch {
    return true
  }
}

/**
 * What one has typed, over a record that somebody else has changed meanwhile: fields that only they have changed are theirs,
 * those that one has changed stay as typed, and where both have, and not alike, there is a conflict.
 */
export const mergeOver = (
  fields: ReadonlyArray<FieldDescription>,
  before: Values,
  inputs: Values,
  now: Values,
): { readonly inputs: Values; readonly conflicts: ReadonlyArray<Conflict> } => {
  const merged: Record<string, unknown> = { ...inputs }
  const conflicts: Array<Conflict> = []
  for (const field of fields) {
    const { name, kind } = field
    if (isSame(before[name], now[name])) continue
    if (!isChanged(field, inputs, before)) merged[name] = kind.toInput(now[name])
    else if (isChanged(field, inputs, now)) conflicts.push({ field, mine: inputs[name], theirs: now[name] })
  }
  return { inputs: merged, conflicts }
}
