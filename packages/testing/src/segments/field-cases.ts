import type { UserFixture } from "./contract-fixtures.ts"

/** An operator with a value, and the users whom it describes; its complement describes all others. */
export type RuleCase<Name extends string = string> = readonly [op: string, value: unknown, ...described: Array<Name>]

/** Users in every state of one field, and whom each operator describes. */
export interface FieldCases {
  readonly field: string
  readonly users: Readonly<Record<string, UserFixture>>
  readonly cases: ReadonlyArray<RuleCase>
}

/** The cases of a field. */
export const fieldCases = <Name extends string>(
  field: string,
  users: Readonly<Record<Name, UserFixture>>,
  cases: ReadonlyArray<RuleCase<NoInfer<Name>>>,
): FieldCases => ({ field, users, cases })
