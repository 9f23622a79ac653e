import { Schema } from "effect"
import { type ColumnKind, describeColumns } from "../columns.ts"
import { EngagementEvent } from "../events/event.ts"
import { Review } from "../reviews/review.ts"
import { UserRow } from "../users/user.ts"

/** The formats of exports. */
export const ExportFormat = Schema.Literals(["csv", "ndjson"])
export type ExportFormat = typeof ExportFormat.Type

/** How the values of a column are written: by their column kind, or as `words`, a list of words without `|`. */
export type CellKind = ColumnKind | "words"

/** A column of an export. */
export interface ExportColumn {
  readonly name: string
  readonly kind: CellKind
  readonly isNullable: boolean
}

/** The columns of an export, in order. */
export type ExportColumns = ReadonlyArray<ExportColumn>

/** The columns of an export of users. `platform_strings` and `push_token_count` cover the active devices. */
export const userExportColumns: ExportColumns = [
  ...describeColumns(UserRow, ["id", "email", "anonymous_id", "created_at", "last_seen_at", "properties"]),
  { name: "platform_strings", kind: "words", isNullable: false },
  { name: "push_token_count", kind: "count", isNullable: false },
]

/** The columns of an export of events. */
export const eventExportColumns: ExportColumns = describeColumns(EngagementEvent)

/** The columns of an export of reviews. */
export const reviewExportColumns: ExportColumns = describeColumns(Review, [
  ...(["id", "reviewable_item_id", "app_user_id", "rating", "title", "body"] as const),
  ...(["is_approved", "created_at", "updated_at"] as const),
])
