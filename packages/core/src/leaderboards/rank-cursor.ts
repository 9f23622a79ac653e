import { Schema, SchemaGetter } from "effect"
import { readCursor, readInstant, writeCursor } from "../cursor.ts"
import { Day, isUuid } from "../schema.ts"
import type { Standing } from "./rank.ts"

const position = Schema.Struct({
  units: Schema.BigInt,
  reached_at: Schema.Date,
  app_user_id: Schema.String,
  window_start: Schema.String,
})

/** Where a page of a leaderboard's entries ends, and the window that is read. */
export interface RankPosition extends Standing {
  readonly window_start: string
}

// More digits than any score has.
const unitsPattern = /^-?\d{1,40}$/

const readUnits = (text: unknown): bigint | null => {
  if (typeof text !== "string" || !unitsPattern.test(text)) return null
  const units = BigInt(text)
  return String(units) === text ? units : null
}

const isDay = Schema.is(Day)

const parse = (cursor: string): RankPosition | null => {
  const { units: text, ts, id, window, ...rest } = readCursor(cursor) ?? {}
  const [units, reached_at] = [readUnits(text), readInstant(ts)]
  if (units === null || reached_at === null || !isUuid(id) || !isDay(window) || Object.keys(rest).length > 0)
    return null
  return { units, reached_at, app_user_id: id.toLowerCase(), window_start: window }
}

const nowhere: RankPosition = { units: 0n, reached_at: new Date(Number.NaN), app_user_id: "", window_start: "" }

/** A `RankPosition` as text. It grants no access: the project and the leaderboard come from the request. */
export const RankCursor = Schema.String.check(
  Schema.makeFilter((cursor: string) => parse(cursor) !== null || "must be the next_cursor of an earlier page"),
).pipe(
  Schema.decodeTo(position, {
    decode: SchemaGetter.transform((cursor: string) => parse(cursor) ?? nowhere),
    encode: SchemaGetter.transform(({ units, reached_at, app_user_id, window_start }: RankPosition) =>
      writeCursor({ units: String(units), ts: reached_at.toISOString(), id: app_user_id, window: window_start }),
    ),
  }),
)
