import type { Actor } from "./contract-fixtures.ts"

/** An operator with a value, and who of the cast is described; its complement describes everybody else. */
export type RuleCase<Name extends string = string> = readonly [op: string, value: unknown, ...described: Array<Name>]

/** Users in every state of one field, and what each operator says of them. */
export interface FieldCases {
  readonly field: string
  readonly cast: Readonly<Record<string, Actor>>
  readonly cases: ReadonlyArray<RuleCase>
}

/** The cases of a field. */
export const fieldCases = <Name extends string>(
  field: string,
  cast: Readonly<Record<Name, Actor>>,
  cases: ReadonlyArray<RuleCase<NoInfer<Name>>>,
): FieldCases => ({ field, cast, cases })
