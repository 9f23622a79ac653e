const utf8 = new TextEncoder()

/** Orders keys by length in bytes, then by code point, as PostgreSQL's jsonb does. */
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => {
  const [left, right] = [utf8.encode(a), utf8.encode(b)]
  if (left.length !== right.length) return left.length - right.length
  for (const [at, byte] of left.entries()) {
    const other = right[at] ?? 0
    if (byte !== other) return byte - other
  }
  return 0
}

/** A number in plain decimal digits, without an exponent. */
const numberText = (value: number): string => {
  const [mantissa = "", exponent] = String(value).split("e")
  if (exponent === undefined) return mantissa === "-0" ? "0" : mantissa
  const sign = mantissa.startsWith("-") ? "-" : ""
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".")
  const digits = whole + fraction
  const point = whole.length + Number(exponent)
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`
  return `${sign}${digits.padEnd(point, "0")}`
}

/**
 * JSON for exports: one line, with a space after each colon and comma, numbers in plain decimal digits, and sorted keys, so
 * that the same value always has the same bytes.
 */
export const jsonText = (value: unknown): string => {
  if (typeof value === "number") return numberText(value)
  if (Array.isArray(value)) return `[${value.map(jsonText).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).toSorted(byKey)
  return `{${entries.map(([key, item]) => `${JSON.stringify(key)}: ${jsonText(item)}`).join(", ")}}`
}
