/** How the items of one type are sent. */
interface Binary {
  readonly oid: number
  readonly bytes: number
  /** Writes an item; answers false for what only the server may read, or refuse, as text. */
  write(item: unknown, into: Buffer, at: number): boolean
}

// The server counts from 2000-01-01.
const firstMillis = Date.UTC(2000, 0, 1)
const dayMillis = 86_400_000
// Text of earlier years is written differently.
const earliest = Date.parse("0001-01-01T00:00:00.000Z")

// Of a character that is no digit the value is beyond a byte's.
const notDigit = 0x100
const digits = new Uint16Array(128).fill(notDigit)
for (const [value, digit] of [..."0123456789abcdef"].entries()) {
  digits[digit.charCodeAt(0)] = value
  digits[digit.toUpperCase().charCodeAt(0)] = value
}
const readDigit = (text: string, at: number) => digits[text.charCodeAt(at)] ?? notDigit

const dash = 0x2d
const hasDashes = (text: string) =>
  text.charCodeAt(8) === dash &&
  text.charCodeAt(13) === dash &&
  text.charCodeAt(18) === dash &&
  text.charCodeAt(23) === dash
// Where the digits of each byte of a UUID are.
const places = Uint8Array.of(0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34)

const uuid: Binary = {
  oid: 2950,
  bytes: 16,
  write: (item, into, at) => {
    if (typeof item !== "string" || item.length !== 36 || !hasDashes(item)) return false
    let wrong = 0
    for (let byte = 0; byte < 16; byte += 1) {
      const place = places[byte] ?? 0
      const [high, low] = [readDigit(item, place), readDigit(item, place + 1)]
      wrong |= high | low
      into[at + byte] = (high << 4) | low
    }
    return wrong < notDigit
  },
}

const timestamptz: Binary = {
  oid: 1184,
  bytes: 8,
  write: (item, into, at) => {
    const micros = item instanceof Date ? (item.getTime() - firstMillis) * 1_000 : Number.NaN
    // Of the years after 2285 and before 1715 they would be rounded.
    if (!Number.isSafeInteger(micros)) return false
    const high = Math.floor(micros / 2 ** 32)
    into.writeInt32BE(high, at)
    into.writeUInt32BE(micros - high * 2 ** 32, at + 4)
    return true
  },
}

// What `Date` writes the same way is a day of the calendar.
const readDay = (text: string): number | null => {
  const millis = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN
  if (!(millis >= earliest) || !new Date(millis).toISOString().startsWith(text)) return null
  return (millis - firstMillis) / dayMillis
}

// Many items in a row are of one day.
let lastDay: { readonly text: string; readonly day: number | null } = { text: "", day: null }

const date: Binary = {
  oid: 1082,
  bytes: 4,
  write: (item, into, at) => {
    if (typeof item !== "string") return false
    if (item !== lastDay.text) lastDay = { text: item, day: readDay(item) }
    if (lastDay.day === null) return false
    into.writeInt32BE(lastDay.day, at)
    return true
  },
}

const int: Binary = {
  oid: 23,
  bytes: 4,
  write: (item, into, at) => {
    if (typeof item !== "number" || (item | 0) !== item) return false
    into.writeInt32BE(item, at)
    return true
  },
}

const binaries: Readonly<Record<string, Binary>> = { uuid, timestamptz, date, int }

/** The types whose arrays have a binary form here, as casts name them. */
export const binaryTypes: ReadonlyArray<string> = Object.keys(binaries)

const headBytes = 20
const nullLength = -1

/**
 * A list in the server's binary form of an array, which it reads in half the time that it needs for text; null where not all of
 * the items have one. Those are left to the server, so that it refuses the same values as ever.
 */
export const arrayBinary = (type: string, items: ReadonlyArray<unknown>): Buffer | null => {
  const binary = binaries[type]
  if (binary === undefined) return null
  const into = Buffer.allocUnsafe(headBytes + items.length * (4 + binary.bytes))
  let at = headBytes
  let hasNulls = 0
  for (const item of items) {
    if (item === null || item === undefined) {
      hasNulls = 1
      into.writeInt32BE(nullLength, at)
      at += 4
    } else {
      into.writeInt32BE(binary.bytes, at)
      if (!binary.write(item, into, at + 4)) return null
      at += 4 + binary.bytes
    }
  }
  // One dimension, whose first index is 1.
  for (const [place, number] of [1, hasNulls, binary.oid, items.length, 1].entries())
    into.writeInt32BE(number, place * 4)
  return into.subarray(0, at)
}
