import { Result, Schema, SchemaGetter } from "effect"
import { Base64Url } from "effect/encoding"
import { isObject, isUuid, parseInstant } from "./schema.ts"

/** A position in a list by instant and id. */
type Position<Column extends string> = { readonly [Name in Column]: Date } & { readonly id: string }

const decodeText = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return null
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The object that a cursor is the text of; null where it is none. Only one encoding of it is accepted. */
export const readCursor = (cursor: string): Readonly<Record<string, unknown>> | null => {
  const bytes = Base64Url.decode(cursor)
  if (Result.isFailure(bytes) || Base64Url.encode(bytes.success) !== cursor) return null
  const value = parseJson(decodeText(bytes.success) ?? "")
  return isObject(value) ? value : null
}

/** An object as the text of a cursor. */
export const writeCursor = (value: object): string => Base64Url.encode(JSON.stringify(value))

/** The instant of a cursor, only in the form in which it is written; else null. */
export const readInstant = (ts: unknown): Date | null => {
  const at = typeof ts === "string" ? parseInstant(ts) : null
  return at === null || at.toISOString() !== ts ? null : at
}

/** The FNV-1a hash of 32 bits, in hex. */
const hash = (text: string): string =>
  [...new TextEncoder().encode(text)]
    .reduce((sum, byte) => Math.imul(sum ^ byte, 0x01000193), 0x811c9dc5 | 0)
    .toString(16)
    .replace("-", "n")

const checkSum = (ts: string, id: string): string => hash(`${ts} ${id}`)

/**
 * The position at which a page ends, as text: base64url of `{ ts, id }`. It grants no access, because the project, the caller and
 * the filter come from the request. With `hasSum` it has a checksum too, so that a cursor that somebody has edited is refused. The
 * decoded position has its instant in `column`.
 */
export const makeCursor = <const Column extends string>(column: Column, { hasSum = false } = {}) => {
  const format = (at: Date, id: string): string => {
    const ts = at.toISOString()
    return writeCursor(hasSum ? { ts, id, sum: checkSum(ts, id) } : { ts, id })
  }
  const parse = (cursor: string): Position<Column> | null => {
    const value = readCursor(cursor)
    if (value === null || Object.keys(value).length !== (hasSum ? 3 : 2)) return null
    const { ts, id, sum } = value
    const at = readInstant(ts)
    if (at === null || !isUuid(id)) return null
    if (hasSum && sum !== checkSum(at.toISOString(), id)) return null
    return { [column]: at, id: id.toLowerCase() } as Position<Column>
  }
  const nowhere = { [column]: new Date(Number.NaN), id: "" } as Position<Column>
  return Schema.String.check(
    Schema.makeFilter((cursor: string) => parse(cursor) !== null || "must be the next_cursor of an earlier page"),
  ).pipe(
    Schema.decodeTo(
      Schema.Struct({ [column]: Schema.Date, id: Schema.String } as {
        readonly [Name in Column]: typeof Schema.Date
      } & { readonly id: typeof Schema.String }),
      {
        decode: SchemaGetter.transform((cursor: string) => parse(cursor) ?? nowhere),
        encode: SchemaGetter.transform((position) => {
          const { [column]: at, id } = position as unknown as Position<Column>
          return format(at, id)
        }),
      },
    ),
  )
}
