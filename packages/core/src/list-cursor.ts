import { Effect, Schema, SchemaGetter } from "effect"
import { readCursor, readInstant, writeCursor } from "./cursor.ts"
import type { Page, Slice, SliceRows } from "./ports/table.ts"
import { isUuid } from "./schema.ts"

const idPosition = Schema.Struct({ id: Schema.String, total: Schema.Int })
const position = Schema.Struct({ at: Schema.Date, ...idPosition.fields })

/** The row at which a page of a list by id ends, and how many rows the list had when its first page was read. */
export type IdPosition = typeof idPosition.Type

/** The same in a list by an instant, and by id where that is the same. */
export type ListPosition = typeof position.Type

/** A place in a list by an instant, and by id where that is the same. */
export type ListPlace = Pick<ListPosition, "at" | "id">

const isTotal = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

const parseId = (cursor: string): IdPosition | null => {
  const { id, total, ...rest } = readCursor(cursor) ?? {}
  return isUuid(id) && isTotal(total) && Object.keys(rest).length === 0 ? { id: id.toLowerCase(), total } : null
}

const parse = (cursor: string): ListPosition | null => {
  const { ts, id, total, ...rest } = readCursor(cursor) ?? {}
  const at = readInstant(ts)
  if (at === null || !isUuid(id) || !isTotal(total) || Object.keys(rest).length > 0) return null
  return { at, id: id.toLowerCase(), total }
}

const text = (parseIt: (cursor: string) => unknown) =>
  Schema.String.check(
    Schema.makeFilter((cursor: string) => parseIt(cursor) !== null || "must be the next_cursor of an earlier page"),
  )

const nowhere = { id: "", total: 0 }

/** An `IdPosition` as text. It grants no access: the project and the filters come from the request. */
export const IdCursor = text(parseId).pipe(
  Schema.decodeTo(idPosition, {
    decode: SchemaGetter.transform((cursor: string) => parseId(cursor) ?? nowhere),
    encode: SchemaGetter.transform(({ id, total }: IdPosition) => writeCursor({ id, total })),
  }),
)

/** A `ListPosition` as text. It grants no access: the project and the filters come from the request. */
export const ListCursor = text(parse).pipe(
  Schema.decodeTo(position, {
    decode: SchemaGetter.transform((cursor: string) => parse(cursor) ?? { at: new Date(Number.NaN), ...nowhere }),
    encode: SchemaGetter.transform(({ at, id, total }: ListPosition) =>
      writeCursor({ ts: at.toISOString(), id, total }),
    ),
  }),
)

/**
 * What of a list is read: a slice of all, or with a cursor of what comes after that. `start` begins a list that is read on by
 * cursors.
 */
export interface ListQuery<Position = ListPosition> extends Slice {
  readonly cursor?: Position | "start" | undefined
}

/** A page, and where a cursor was given where the next one begins: null after the last. */
export interface ListPage<Row, Position = ListPosition> extends Page<Row> {
  readonly next_cursor?: Position | null
}

interface ReadableList<Row, Position, Rows = ReadonlyArray<Row>> {
  /** A slice of the whole list. */
  readonly page: (slice: Slice) => Effect.Effect<Page<Row>>
  /** A slice of the rows after a position. */
  readonly after: (position: Position, slice: Slice) => Effect.Effect<Rows>
  readonly place: (row: Row) => Omit<Position, "total">
}

/** All of a slice, however often it is cut (ADR 0021): for what needs it whole. */
export const readWhole = <Row>(
  { limit, offset }: Slice,
  page: (slice: Slice) => Effect.Effect<Page<Row>>,
): Effect.Effect<Page<Row>> =>
  Effect.gen(function* () {
    const rows: Array<Row> = []
    for (;;) {
      const found = yield* page({ limit: limit - rows.length, offset: offset + rows.length })
      rows.push(...found.rows)
      if (found.is_cut !== true) return { rows, total: found.total }
    }
  })

/**
 * Reads a page of a list. It is counted for the first page only: further ones, asked for by a cursor, repeat that total, so that
 * a list of any length costs the same for each page.
 */
export const readList = <Row, Position extends IdPosition>(
  query: ListQuery<Position>,
  { page, after, place }: ReadableList<Row, Position>,
): Effect.Effect<ListPage<Row, Position>> =>
  readLargeList(query, {
    page,
    after: (position, slice) => Effect.map(after(position, slice), (rows) => ({ rows })),
    place,
  })

/** The same of a list of large rows: where a page is cut, its cursor leads on to what is left out (ADR 0021). */
export const readLargeList = <Row, Position extends IdPosition>(
  { cursor, limit, offset }: ListQuery<Position>,
  { page, after, place }: ReadableList<Row, Position, SliceRows<Row>>,
): Effect.Effect<ListPage<Row, Position>> =>
  Effect.gen(function* () {
    const slice = { limit, offset }
    if (cursor === undefined) return yield* page(slice)
    const found: Page<Row> =
      cursor === "start" ? yield* page(slice) : { ...(yield* after(cursor, slice)), total: cursor.total }
    const { rows, total, is_cut = false } = found
    const last = rows.length < limit && !is_cut ? undefined : rows.at(-1)
    return { rows, total, next_cursor: last === undefined ? null : ({ ...place(last), total } as Position) }
  })
