import { type Column, type ColumnKind, isUuid } from "@hearth/core"
import { hasMoneyDigits } from "@hearth/core/currencies"

/** A copy of `value`, as `column` stores it. Throws for every value that PostgreSQL would refuse or change. */
export const keep = ({ name, kind, isNullable, values }: Column, value: unknown): unknown => {
  if (value === null && isNullable) return null
  const kept = values === null ? keepers[kind](value) : values.find((one) => one === value)
  if (kept === undefined) throw new TypeError(`Column ${name} (${values ?? kind}) cannot keep ${describe(value)}.`)
  return kept
}

const roundUp = (bytes: number, to: number) => Math.ceil(bytes / to) * to

/** The bytes of a row of an index over these columns, as PostgreSQL stores it where nothing can be compressed. */
export const indexBytes = (columns: ReadonlyArray<Column>, row: Readonly<Record<string, unknown>>): number => {
  const sizes = columns.map(({ name, kind }) => {
    const value = row[name]
    if (typeof value === "string" && kind === "text") return roundUp(4 + Buffer.byteLength(value), 4)
    return kind === "uuid" ? 16 : 8
  })
  return roundUp(8 + sizes.reduce((sum, size) => sum + size, 0), 8)
}

const idColumn: Column = { name: "id", kind: "uuid", isNullable: false, values: null }

/** Ids as a table stores them: each once, ascending. Throws where one is not a uuid. */
export const keepIds = (ids: ReadonlyArray<string>): ReadonlyArray<string> =>
  [...new Set(ids.map((id) => keep(idColumn, id) as string))].sort()

/** The ascending order of the stored values of a column, except nulls. Text is sorted by code point. Throws for JSON. */
export const ascending = ({ name, kind }: Column): ((a: unknown, b: unknown) => number) => {
  if (kind === "json") throw new TypeError(`Nothing can be sorted by ${name}.`)
  return (a, b) => (typeof a === "string" && typeof b === "string" ? byCodePoint(a, b) : Number(a) - Number(b))
}

/** Whether two stored values of a column are equal. Null equals null here. */
export const equal = (a: unknown, b: unknown): boolean => {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object") return false
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime()
  return JSON.stringify(a) === JSON.stringify(b)
}

const describe = (value: unknown) => (typeof value === "string" ? JSON.stringify(value) : String(value))

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.isWellFormed() && !value.includes("\u0000")

/** Each answers undefined for a value that its column refuses. */
const keepers: Record<ColumnKind, (value: unknown) => unknown> = {
  uuid: (value) => (isUuid(value) ? value.toLowerCase() : undefined),
  text: (value) => (isText(value) ? value : undefined),
  day: (value) => (isDay(value) ? value : undefined),
  instant: (value) => (value instanceof Date && isWithinYears(value) ? new Date(value) : undefined),
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  count: (value) => (typeof value === "number" && value >= 0 && (value | 0) === value ? value + 0 : undefined),
  whole: (value) => (typeof value === "number" && (value | 0) === value ? value + 0 : undefined),
  amount: (value) => (typeof value === "number" && value >= 0 && Number.isFinite(value) ? value + 0 : undefined),
  number: (value) => (typeof value === "number" && Number.isFinite(value) ? value + 0 : undefined),
  money: (value) => (typeof value === "number" && hasMoneyDigits(value) ? value + 0 : undefined),
  json: (value) => keepJson(value),
}

// PostgreSQL has no year 0, and the driver writes those before it and after 9999 in a form that it refuses.
const isWithinYears = (instant: Date): boolean => instant.getUTCFullYear() >= 1 && instant.getUTCFullYear() <= 9999

const isDay = (value: unknown): boolean => {
  if (typeof value !== "string" || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const midnight = new Date(`${value}T00:00:00.000Z`)
  return isWithinYears(midnight) && midnight.toISOString().startsWith(value)
}

/** A copy of JSON, with the keys in the order of PostgreSQL's jsonb: the shorter first. */
const keepJson = (value: unknown): unknown => {
  if (value === null || typeof value === "boolean") return value
  // There is no negative zero in jsonb.
  if (typeof value === "number") return Number.isFinite(value) ? value + 0 : undefined
  if (typeof value === "string") return keepers.text(value)
  if (Array.isArray(value)) {
    const items = value.map(keepJson)
    return items.includes(undefined) ? undefined : items
  }
  if (typeof value !== "object" || value instanceof Date) return undefined
  const entries = Object.entries(value).map(([key, item]) => [key, keepJson(item)] as const)
  if (entries.some(([key, item]) => item === undefined || !isText(key))) return undefined
  return Object.fromEntries(
    entries.sort(([a], [b]) => Buffer.byteLength(a) - Buffer.byteLength(b) || byCodePoint(a, b)),
  )
}

// Units of UTF-16 are in the order of code points, but for surrogates, which stand for those above all others.
const rank = (unit: number): number => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)

const byCodePoint = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let index = 0; index < length; index += 1) {
    const unit = a.charCodeAt(index)
    const other = b.charCodeAt(index)
    if (unit !== other) return rank(unit) - rank(other)
  }
  return a.length - b.length
}
