import type { Effect } from "effect"
import type { ExportColumns } from "./columns.ts"
import type { ExportRecord } from "./lines.ts"

/** A table that says which rows of another one are a user's: `row` is the column with their ids. */
export interface SectionLinks {
  readonly table: string
  readonly row: string
}

/** A section of a user's export with the rows of a table, as they are stored. */
export interface TableSection {
  /** Also the name of the table. */
  readonly name: string
  /** The exported columns. */
  readonly columns: ExportColumns
  /** The columns by which the rows are sorted, unique within a user. */
  readonly key: ReadonlyArray<string>
  /** The column that can be large, by which pages are cut; the first one with JSON by default. */
  readonly large?: string
  /** The column with the user's id; `app_user_id` by default. */
  readonly owner?: string
  /**
   * Rows that may have ended by themselves: one whose `ended` is null is shown as ended at `seen`, where that is `millis` or
   * longer ago. Both columns are exported.
   */
  readonly lapse?: { readonly ended: string; readonly seen: string; readonly millis: number }
  /** Rows that stop to hold by themselves: `flag` is shown as false where `end` is `millis` or longer ago. Both columns are exported. */
  readonly expiry?: { readonly flag: string; readonly end: string; readonly millis: number }
  /** Where a row may be of several users: the table whose `owner` and `row` say whose. The section's own is sorted by `id`. */
  readonly links?: SectionLinks
}

/** A section of a user's export that is computed. It is read as a whole. */
export interface ViewSection<Db> {
  readonly name: string
  readonly columns: ExportColumns
  /** The columns by which pages of its records are sorted, unique within a user. */
  readonly key: ReadonlyArray<string>
  readonly read: (db: Db, userId: string, now: Date) => Effect.Effect<ReadonlyArray<ExportRecord>>
}

/** A section of a user's export. */
export type ExportSection<Db> = TableSection | ViewSection<Db>
