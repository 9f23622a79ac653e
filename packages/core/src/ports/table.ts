import { Data, type Effect, type Option } from "effect"

/** A row of the same unique key is there already. `key` names the columns of the key, in the order of its declaration. */
export class Duplicate extends Data.TaggedError("Duplicate")<{ readonly key: ReadonlyArray<string> }> {}

/**
 * Columns that must equal the given values; null means that the column is null. A value that is undefined is a defect: it
 * must not come to mean every row.
 */
export type Where<Row> = { readonly [Column in keyof Row]?: Row[Column] }

/**
 * Sort keys, most significant first. Ties are broken by `id`, ascending, so that pages never overlap. Nulls come last, in
 * both directions. Text is compared by code point.
 */
export type Order<Row> = ReadonlyArray<readonly [column: keyof Row & string, direction: "asc" | "desc"]>

/** A slice of a list, and how many rows the whole list has. */
export interface Page<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly total: number
}

/** Where a page begins and how many rows it has at the most. */
export interface Slice {
  readonly limit: number
  readonly offset: number
}

/**
 * The plain operations that every kind of row shares. What a feature needs beyond them is a named query of its own.
 * A row whose parent is not there, a null or undefined where none may be, and text that PostgreSQL cannot hold are defects.
 */
export interface Table<Row extends { readonly id: string }> {
  /** Adds a row. Fails when one of its unique keys is taken. */
  insert(row: Row): Effect.Effect<void, Duplicate>
  /** The one row that `where` describes; any of them when there are several. */
  find(where: Where<Row>): Effect.Effect<Option.Option<Row>>
  /** The row of this id, locked until the transaction ends; none where it is not there. */
  lock(id: string): Effect.Effect<Option.Option<Row>>
  /** All rows that `where` describes. */
  list(where: Where<Row>, order: Order<Row>): Effect.Effect<ReadonlyArray<Row>>
  /** A slice of the rows that `where` describes. The total does not depend on the slice, also when it is past the end. */
  page(where: Where<Row>, order: Order<Row>, slice: Slice): Effect.Effect<Page<Row>>
  /**
   * Changes the named columns of the row with this id and answers the whole row after it; none when it is not there. Ids do
   * not change.
   */
  update(id: string, changes: Partial<Row>): Effect.Effect<Option.Option<Row>, Duplicate>
  /** Removes the rows that `where` describes and all that belongs to them. Answers how many they were. */
  remove(where: Where<Row>): Effect.Effect<number>
}
