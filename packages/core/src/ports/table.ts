import { Data, type Effect, type Option } from "effect"

/** A row with the same unique key exists. `key` names the columns of the key, in the order of its declaration. */
export class Duplicate extends Data.TaggedError("Duplicate")<{ readonly key: ReadonlyArray<string> }> {}

/**
 * Columns that must equal the given values; null means that the column is null. An undefined value is a defect, so that it
 * cannot match every row by mistake.
 */
export type Where<Row> = { readonly [Column in keyof Row]?: Row[Column] }

/**
 * Sort keys, most significant first. Ties are broken by `id`, ascending, so that pages never overlap. Nulls come last, in
 * both directions. Text is compared by code point.
 */
export type Order<Row> = ReadonlyArray<readonly [column: keyof Row & string, direction: "asc" | "desc"]>

/** A slice of a list, and the number of rows in the whole list. */
export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly total: number
  /** Whether rows of the slice are left out, because these are large. The others are asked for by an offset after them. */
  readonly is_cut?: boolean
}

/** Rows of a slice. */
export type SliceRows<Row> = Pick<Page<Row>, "rows" | "is_cut">

/**
 * Where large rows are listed, a page ends with the row in which it reaches so many bytes of text and JSON (ADR 0021). Many such
 * pages may be held at once, so they are small.
 */
export const maxPageBytes = 1_048_576

/** Where a page begins, and the most rows that it has. */
export interface Slice {
  readonly limit: number
  readonly offset: number
}

/**
 * How a row is locked, the weakest first, as in PostgreSQL. `key share` keeps it from being removed, `share` also from being
 * changed, `no key update` also from being shared, `update` also from being referenced.
 */
export type RowLock = "key share" | "share" | "no key update" | "update"

/**
 * The operations that all tables share. A feature adds named queries for the rest. A missing parent row, a null or undefined
 * in a column that must not have it, text, instants and days that PostgreSQL cannot store, text too long for an index and what a check of
 * the table forbids are defects. Rows are copied on their way in and out.
 */
export interface Table<Row extends { readonly id: string }> {
  /** Inserts a row. Fails when one of its unique keys is taken; of several at once one is inserted. */
  insert(row: Row): Effect.Effect<void, Duplicate>
  /** The row that matches `where`; any of them when there are several. */
  find(where: Where<Row>): Effect.Effect<Option.Option<Row>>
  /** The row of this id, locked until the transaction ends, `no key update` by default; none when it does not exist. */
  lock(id: string, mode?: RowLock): Effect.Effect<Option.Option<Row>>
  /** All rows that match `where`. */
  list(where: Where<Row>, order: Order<Row>): Effect.Effect<ReadonlyArray<Row>>
  /**
   * A slice of the rows that match `where`. The total does not depend on the slice, also when that is past the end. Where rows have
   * JSON, large ones cut it short (ADR 0021).
   */
  page(where: Where<Row>, order: Order<Row>, slice: Slice): Effect.Effect<Page<Row>>
  /**
   * A slice of the rows that match `where` and come after the place in this order that these values name, whether or not there is
   * a row in it. All columns of the order, and the id, go in one direction, and none of them can be null. Cut as a page is.
   */
  listAfter(
    where: Where<Row>,
    order: Order<Row>,
    place: Partial<Row> & { readonly id: string },
    slice: Slice,
  ): Effect.Effect<SliceRows<Row>>
  /**
   * Changes the named columns of the row with this id and answers the changed row; none when it does not exist. Ids cannot
   * be changed. Fails when a unique key of another row would be taken; keeping its own is no change.
   */
  update(id: string, changes: Partial<Row>): Effect.Effect<Option.Option<Row>, Duplicate>
  /** Removes the rows that match `where` and the rows that belong to them. Answers how many matched. */
  remove(where: Where<Row>): Effect.Effect<number>
}
