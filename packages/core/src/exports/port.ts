import type { Effect } from "effect"
import type { ExportFormat } from "./columns.ts"
import type { TableSection } from "./section.ts"

/**
 * The most rows of a page, and the most bytes of its text, which may be exceeded by one row. Pages of small rows may have a
 * few times as many bytes.
 */
export interface PageBudget {
  readonly rows: number
  readonly bytes: number
}

/** The key of the row after which a page begins. Opaque to everything but the adapter. */
export type PageKey = ReadonlyArray<string>

/** A page of whole lines, each with its line feed, and the key for the next page; null at the end. */
export interface TextPage {
  /** They follow one another, and none is empty: each has one line or more. A page without rows has none. */
  readonly texts: ReadonlyArray<string>
  readonly rows: number
  readonly next: PageKey | null
}

/** The filter of an export of users: created at `since` or later, members of one segment. Null is no condition. */
export interface ExportedUsers {
  readonly since: Date | null
  readonly segment_id: string | null
}

/** The filter of an export of a user's events: `since` ≤ `occurred_at` < `until`, of one name. Null is no condition. */
export interface ExportedEvents {
  readonly user_id: string
  readonly since: Date | null
  readonly until: Date | null
  readonly event_name: string | null
}

/** The filter of an export of reviews: created at `since` or later, with a rating from `rating_min` to `rating_max`. */
export interface ExportedReviews {
  readonly since: Date | null
  readonly rating_min: number
  readonly rating_max: number
}

/**
 * Reads exports page by page. A page is one statement, after which nothing is held. Lines are as `csvLine`, `jsonLine` and
 * `sectionLine` write them. Every page but the last has a row, and the last has fewer than its budget allows, perhaps none. A row
 * that exists from the first page to the last appears exactly once, whatever is inserted or removed meanwhile.
 */
export interface Exports {
  /** Users by id. */
  users(format: ExportFormat, filter: ExportedUsers, after: PageKey | null, budget: PageBudget): Effect.Effect<TextPage>
  /** The events of a user, the oldest first. */
  userEvents(
    format: ExportFormat,
    filter: ExportedEvents,
    after: PageKey | null,
    budget: PageBudget,
  ): Effect.Effect<TextPage>
  /** Reviews by id. */
  reviews(
    format: ExportFormat,
    filter: ExportedReviews,
    after: PageKey | null,
    budget: PageBudget,
  ): Effect.Effect<TextPage>
  /** The rows of a user in one table, by the section's key: ascending where nothing else is asked for. */
  section(
    section: TableSection,
    userId: string,
    after: PageKey | null,
    budget: PageBudget,
    order?: "asc" | "desc",
  ): Effect.Effect<TextPage>
}

/** What a project's database has for exports. */
export interface ExportsDb {
  readonly exports: Exports
}
