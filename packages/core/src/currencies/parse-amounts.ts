import { Result } from "effect"
import { InvalidAmount, InvalidInput } from "../failure.ts"
import { isAmount, isPositiveAmount, positiveAmountPhrase } from "./money.ts"

/** The amounts of a currency. */
export interface CurrencyAmounts {
  readonly initial_balance: number
  readonly max_balance: number | null
  readonly auto_recharge_amount: number | null
  readonly auto_recharge_interval_hours: number | null
}

/** Amounts as a caller has sent them. */
export type GivenAmounts = { readonly [Name in keyof CurrencyAmounts]?: unknown }

const isNotNegative = (value: unknown) => isAmount(value) && value >= 0
const orNull = (isValid: (value: unknown) => boolean) => (value: unknown) => value === null || isValid(value)

const checks: { readonly [Name in keyof CurrencyAmounts]: (value: unknown) => boolean } = {
  initial_balance: isNotNegative,
  max_balance: orNull(isNotNegative),
  auto_recharge_amount: orNull(isPositiveAmount),
  auto_recharge_interval_hours: orNull(isPositiveAmount),
}

const notNegative = "must be a number from 0 to 900,000,000,000 with at most 4 decimals"

const phrases: { readonly [Name in keyof CurrencyAmounts]: string } = {
  initial_balance: notNegative,
  max_balance: `${notNegative}, or null`,
  auto_recharge_amount: `${positiveAmountPhrase}, or null`,
  auto_recharge_interval_hours: `${positiveAmountPhrase}, or null`,
}

/** What is wrong with a value of an amount. */
export const findAmountIssues = (name: keyof CurrencyAmounts, value: unknown) =>
  checks[name](value) ? [] : [{ path: name, message: phrases[name] }]

const names = Object.keys(checks) as ReadonlyArray<keyof CurrencyAmounts>

const invalid = (path: string, message: string) => new InvalidInput({ issues: [{ path, message }] })

/**
 * The amounts of a currency after a call: those that are given, else those that are stored. A bad amount is `INVALID_AMOUNT`; an
 * initial balance over the maximum, and half a recharge, are `INVALID_INPUT` [G4.1, G4.2].
 */
export const parseAmounts = (
  given: GivenAmounts,
  stored: CurrencyAmounts,
): Result.Result<CurrencyAmounts, InvalidAmount | InvalidInput> => {
  const issues = names.flatMap((name) => (name in given ? findAmountIssues(name, given[name]) : []))
  if (issues.length > 0) return Result.fail(new InvalidAmount({ issues }))
  const amounts = Object.fromEntries(
    names.map((name) => [name, name in given ? given[name] : stored[name]]),
  ) as unknown as CurrencyAmounts
  const { initial_balance, max_balance, auto_recharge_amount, auto_recharge_interval_hours } = amounts
  if (max_balance !== null && initial_balance > max_balance)
    return Result.fail(invalid("initial_balance", "must not be more than max_balance"))
  if ((auto_recharge_amount === null) !== (auto_recharge_interval_hours === null))
    return Result.fail(invalid("auto_recharge_amount", "must be given together with auto_recharge_interval_hours"))
  return Result.succeed(amounts)
}
