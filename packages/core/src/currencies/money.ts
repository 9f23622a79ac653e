/** The greatest amount and the greatest balance [G4.2]. */
export const maxAmount = 900_000_000_000

const decimals = 4
const unitsOfOne = 10 ** decimals

/**
 * An amount in whole ten-thousandths: the number in which amounts are added. Exact up to `maxUnits` and beyond it up to 2^53.
 * Amounts above 2^39 are not: there two of them that are one ten-thousandth apart can be the same number.
 */
export type Units = number

/** `maxAmount` in ten-thousandths, less than 2^53. */
export const maxUnits: Units = maxAmount * unitsOfOne

/** The digits before and after the point, of the shortest decimal that means this number: what JSON and PostgreSQL are given. */
const readDigits = (value: number): readonly [whole: string, fraction: string] => {
  const [whole = "", fraction = ""] = String(Math.abs(value)).split(".")
  return [whole, fraction]
}

const isPlain = (digits: string) => !digits.includes("e")

/** Whether a number is finite, below 10^16, and has at most 4 decimals: what a column of money keeps unchanged. */
export const hasMoneyDigits = (value: number): boolean => {
  const [whole, fraction] = readDigits(value)
  return Math.abs(value) < 1e16 && isPlain(whole) && isPlain(fraction) && fraction.length <= decimals
}

/** Whether `value` is an amount: a finite number of at most 4 decimals and at most 900,000,000,000, of either sign [G4.2]. */
export const isAmount = (value: unknown): value is number =>
  typeof value === "number" && hasMoneyDigits(value) && Math.abs(value) <= maxAmount

/** Whether `value` is an amount greater than 0, as it can be granted, spent or asked for [G4.2]. */
export const isPositiveAmount = (value: unknown): value is number => isAmount(value) && value > 0

/** What is said of something that is no such amount. */
export const positiveAmountPhrase = "must be a number greater than 0, at most 900,000,000,000, with at most 4 decimals"

/** An amount in ten-thousandths. Exact. Throws for a number that has more than 4 decimals. */
export const toUnits = (amount: number): Units => {
  if (!hasMoneyDigits(amount)) throw new RangeError(`${amount} has more than 4 decimals.`)
  const [whole, fraction] = readDigits(amount)
  const units = Number(whole + fraction.padEnd(decimals, "0"))
  // There is no negative zero.
  return amount < 0 ? -units : units
}

/** The number nearest to so many ten-thousandths. */
export const fromUnits = (units: Units): number => units / unitsOfOne + 0

/** The same of a sum, which may be above 2^53 ten-thousandths. */
export const fromUnitsOfSum = (units: bigint): number => {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0")
  const size = Number(`${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`)
  return units < 0n ? -size : size
}
