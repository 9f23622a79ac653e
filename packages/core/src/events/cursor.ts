import { Result, Schema, SchemaGetter } from "effect"
import { Base64Url } from "effect/encoding"
import { isObject, isUuid, parseInstant } from "../schema.ts"
import type { EventPosition } from "./port.ts"

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

/** The position of a cursor; null for invalid text. */
const parseCursor = (cursor: string): EventPosition | null => {
  const bytes = Base64Url.decode(cursor)
  // The same bytes can have several encodings. Only the canonical one is accepted.
  if (Result.isFailure(bytes) || Base64Url.encode(bytes.success) !== cursor) return null
  const value = parseJson(decodeText(bytes.success) ?? "")
  if (!isObject(value) || Object.keys(value).length !== 2) return null
  const { ts, id } = value
  const occurred_at = typeof ts === "string" ? parseInstant(ts) : null
  if (occurred_at === null || occurred_at.toISOString() !== ts || !isUuid(id)) return null
  return { occurred_at, id: id.toLowerCase() }
}

const formatCursor = ({ occurred_at, id }: EventPosition): string =>
  Base64Url.encode(JSON.stringify({ ts: occurred_at.toISOString(), id }))

/**
 * The position in the event log at which a page ends: base64url of `{ ts, id }`. It grants no access, because the project and
 * the filter come from the request.
 */
export const EventCursor = Schema.String.check(
  Schema.makeFilter((cursor: string) => parseCursor(cursor) !== null || "must be a cursor"),
).pipe(
  Schema.decodeTo(Schema.Struct({ occurred_at: Schema.Date, id: Schema.String }), {
    decode: SchemaGetter.transform(
      (cursor: string): EventPosition => parseCursor(cursor) ?? { occurred_at: new Date(Number.NaN), id: "" },
    ),
    encode: SchemaGetter.transform(formatCursor),
  }),
)
