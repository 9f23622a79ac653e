import { type Column, describeColumns, type StoredRecord } from "@hearth/core"

/** Every row has an id, which is unique in its table. */
export interface Identified {
  readonly id: string
}

/**
 * A table: its columns by name, its unique keys beside `id`, those of them that are indexed by a hash and so take text of any
 * length, other indexes with text, and the tables that its columns reference.
 */
export interface Shape<Row extends Identified = Identified> {
  readonly name: string
  readonly columns: ReadonlyMap<string, Column>
  readonly unique: ReadonlyArray<ReadonlyArray<string>>
  readonly hashed: ReadonlyArray<ReadonlyArray<string>>
  readonly indexed: ReadonlyArray<ReadonlyArray<string>>
  readonly parents: Readonly<Record<string, string>>
  /** The columns that a removal of their parent makes null. Other rows go with their parent. */
  readonly cleared: ReadonlyArray<string>
  /** What is true of every row. */
  readonly checks: ReadonlyArray<(row: never) => boolean>
  /** Only a type: what is in the rows. */
  readonly row?: Row
}

/** Describes the table of a record. Removing a parent removes its rows, but for columns that are `cleared`. */
export const describeTable = <Row extends Identified>(
  name: string,
  record: StoredRecord & { readonly Type: Row },
  keys: {
    readonly unique?: ReadonlyArray<ReadonlyArray<keyof Row & string>>
    readonly hashed?: ReadonlyArray<ReadonlyArray<keyof Row & string>>
    readonly indexed?: ReadonlyArray<ReadonlyArray<keyof Row & string>>
    readonly parents?: { readonly [Field in keyof Row & string]?: string }
    readonly cleared?: ReadonlyArray<keyof Row & string>
    readonly checks?: ReadonlyArray<(row: Row) => boolean>
  } = {},
): Shape<Row> => ({
  name,
  columns: new Map(describeColumns(record).map((column) => [column.name, column])),
  unique: keys.unique ?? [],
  hashed: keys.hashed ?? [],
  indexed: keys.indexed ?? [],
  parents: (keys.parents ?? {}) as Readonly<Record<string, string>>,
  cleared: keys.cleared ?? [],
  checks: keys.checks ?? [],
})
