// What somebody owns is not rounded.
const number = new Intl.NumberFormat(undefined, { maximumFractionDigits: 20 })
const units = ["B", "KB", "MB", "GB"] as const

/** A number with all its digits, in groups. */
export const sayNumber = (value: number): string => number.format(value)

/** How many of something: 1 user, 1,000 users. */
export const sayMany = (value: number, one: string, many = `${one}s`): string =>
  `${sayNumber(value)} ${value === 1 ? one : many}`

/** A number of bytes in a unit that one can read. */
export const sayBytes = (bytes: number): string => {
  const at = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  return `${(bytes / 1_000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}
