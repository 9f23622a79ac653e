import type { Effect } from "effect"
import type { ExportColumns } from "./columns.ts"
import type { ExportRecord } from "./lines.ts"

/** A part of the file about one user that is rows of a table, as they are stored. */
export interface TableSection {
  /** The name of the table too. */
  readonly name: string
  /** The columns that may be seen. */
  readonly columns: ExportColumns
  /** The columns that the rows are sorted by, unique in a user. */
  readonly key: ReadonlyArray<string>
  /** The column that names the user; `app_user_id` where left out. */
  readonly owner?: string
}

/** A part of the file about one user that is not as it is stored: it is read as a whole. */
export interface ViewSection<Db> {
  readonly name: string
  readonly columns: ExportColumns
  readonly read: (db: Db, userId: string, now: Date) => Effect.Effect<ReadonlyArray<ExportRecord>>
}

/** A part of the file about one user. */
export type ExportSection<Db> = TableSection | ViewSection<Db>
