import { Schema, SchemaGetter } from "effect"
import { readCursor, writeCursor } from "../cursor.ts"

const position = Schema.Struct({ number: Schema.Int })

/** The number of the message at which a page of a conversation ends. */
export type MessagePosition = typeof position.Type

// As far as PostgreSQL counts.
const maxNumber = 2 ** 31 - 1

const parse = (cursor: string): MessagePosition | null => {
  const { number, ...rest } = readCursor(cursor) ?? {}
  const isNumber = typeof number === "number" && Number.isInteger(number) && number > 0 && number <= maxNumber
  return isNumber && Object.keys(rest).length === 0 ? { number } : null
}

/** A `MessagePosition` as text. It grants no access: the project and the conversation come from the request. */
export const MessageCursor = Schema.String.check(
  Schema.makeFilter((cursor: string) => parse(cursor) !== null || "must be the next_cursor of an earlier page"),
).pipe(
  Schema.decodeTo(position, {
    decode: SchemaGetter.transform((cursor: string) => parse(cursor) ?? { number: 0 }),
    encode: SchemaGetter.transform(({ number }: MessagePosition) => writeCursor({ number })),
  }),
)
