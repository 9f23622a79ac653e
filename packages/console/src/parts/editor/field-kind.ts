import type { Component, JSX } from "solid-js"

/** What is wrong with a part of a field: its path within the field is empty where it is the field itself. */
export interface FieldIssue {
  readonly path: string
  readonly message: string
}

/** What a control of a form is given. */
export interface ControlProps {
  readonly label: string
  readonly hint?: string | undefined
  readonly required?: boolean
  readonly input: unknown
  /** What the controls of the whole form hold: some fields depend on others. */
  readonly inputs: Readonly<Record<string, unknown>>
  readonly onInput: (input: unknown) => void
  readonly issues: ReadonlyArray<FieldIssue>
}

/** Said by `toValue` of an input that is no value at all. */
export class NoValue extends Error {}

/** A kind of field: how its value is typed in, sent and shown. */
export interface FieldKind {
  /** What the control holds for a value. */
  readonly toInput: (value: unknown) => unknown
  /** The value that is sent, in a form that holds `inputs`. Throws `NoValue` with a sentence. */
  readonly toValue: (input: unknown, inputs: Readonly<Record<string, unknown>>) => unknown
  readonly Control: Component<ControlProps>
  /** The value as text, for those who only read, and beside another one. */
  readonly show: (value: unknown) => JSX.Element
}

/** A field of a form. */
export interface FieldDescription<Name extends string = string> {
  readonly name: Name
  readonly label: string
  readonly kind: FieldKind
  readonly hint?: string
  readonly required?: boolean
  /** Only given when it is made; afterwards it is shown. */
  readonly isFixed?: boolean
  /** Only there once it was made. */
  readonly isLater?: boolean
}

/** The issue of the field itself, as a sentence. */
export const sayFault = (issues: ReadonlyArray<FieldIssue>): string | undefined =>
  issues.length === 0
    ? undefined
    : issues.map(({ path, message }) => (path === "" ? message : `${path} ${message}`)).join("; ")
