import { Result, Schema } from "effect"

/** The cursors of a list: its positions as they are written. */
export type CursorCodec = Schema.Codec<unknown, string>

const written = (codec: CursorCodec) => {
  const write = Schema.encodeUnknownResult(codec)
  return (value: unknown) => Result.isSuccess(write(value))
}

const valid = (isValid: (value: unknown) => boolean, message: string) =>
  Schema.Unknown.check(Schema.makeFilter(isValid, { message }))

/** The positions that `codec` can write: those that answers have had. */
export const position = (codec: CursorCodec) => valid(written(codec), "must be the next_cursor of an earlier page")

/** The same of a list that is read on by cursors from `start` on. */
export const positionOrStart = (codec: CursorCodec) => {
  const isPosition = written(codec)
  return valid((value) => value === "start" || isPosition(value), "must be start or the next_cursor of an earlier page")
}
