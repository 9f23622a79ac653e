/** The greatest value, positive or negative, that is summed [G0.8]. */
export const greatestSummand = 900_000_000_000

/**
 * What a property of an event adds to a sum [G0.8]: a number of at most ±900,000,000,000, rounded to 4 decimals, half away from
 * zero, as it is written in decimal. Null for everything else, which counts nothing.
 */
export const readSummand = (value: unknown): number | null => {
  if (typeof value !== "number" || !(Math.abs(value) <= greatestSummand)) return null
  const size = Math.abs(value)
  // Smaller ones are written with an exponent.
  if (size < 0.00005) return 0
  const [whole = "", decimals = ""] = String(size).split(".")
  if (decimals.length <= 4) return value
  const tenThousandths = Number(whole + decimals.slice(0, 4)) + (Number(decimals[4]) >= 5 ? 1 : 0)
  return (Math.sign(value) * tenThousandths) / 10_000
}
