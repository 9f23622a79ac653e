import { arrayBinary, binaryTypes } from "./array-binary.ts"
import { arrayText } from "./array-text.ts"

// To look for their types costs as much as a few items do.
const fewItems = 16

const casts = new RegExp(`\\$(\\d+)(?!\\d)(?:::(${binaryTypes.join("|")})\\[\\])?`, "g")

/** The types that parameters are cast to, by their place. Without one where a parameter is used without it, or with several. */
const findTypes = (text: string): ReadonlyMap<number, string | undefined> => {
  const types = new Map<number, string | undefined>()
  for (const [, number, type] of text.matchAll(casts)) {
    const place = Number(number) - 1
    types.set(place, types.has(place) && types.get(place) !== type ? undefined : type)
  }
  return types
}

const isLong = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value) && value.length > fewItems

/**
 * The values of a statement as the driver sends them unchanged. Instants are written in UTC: the driver would write them in the
 * local zone of the process, where old offsets have seconds that get lost. Long lists are sent in binary where the text says
 * `$1::uuid[]` or the like: then their type is known.
 */
export const bindValues = (text: string, values: ReadonlyArray<unknown>): Array<unknown> => {
  const types = values.some(isLong) ? findTypes(text) : null
  return values.map((value, place) => {
    if (value instanceof Date) return value.toISOString()
    if (!Array.isArray(value)) return value
    const type = isLong(value) ? types?.get(place) : undefined
    return (type === undefined ? null : arrayBinary(type, value)) ?? arrayText(value) ?? value
  })
}
