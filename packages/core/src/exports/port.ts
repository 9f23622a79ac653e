import type { Effect } from "effect"
import type { ExportFormat } from "./columns.ts"
import type { TableSection } from "./section.ts"

/**
 * How large a page may become: so many rows, and so many bytes of text with at most one row beyond them. Where no row is
 * large in itself it may be a few times as many bytes.
 */
export interface PageBudget {
  readonly rows: number
  readonly bytes: number
}

/** Where a page begins: after the row whose key this is. Nobody but the adapter looks into it. */
export type PageKey = ReadonlyArray<string>

/** A piece of a file: whole lines, each with its line feed, and where the next piece begins; null at the end. */
export interface TextPage {
  readonly text: string
  readonly rows: number
  readonly next: PageKey | null
}

/** Which users a file has: those created at `since` or later, and the members of one segment; null is without that bound. */
export interface ExportedUsers {
  readonly since: Date | null
  readonly segment_id: string | null
}

/** Which events of a user a file has: `since` ≤ `occurred_at` < `until`, of one name; null is without that bound. */
export interface ExportedEvents {
  readonly user_id: string
  readonly since: Date | null
  readonly until: Date | null
  readonly event_name: string | null
}

/**
 * Files, page by page. A page is one statement, which holds nothing when it has answered; lines are as `csvLine`,
 * `jsonLine` and `sectionLine` write them. There is a row in every page but the last. What is there from the first page
 * to the last appears exactly once, whatever else comes and goes.
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
  /** What a table has of a user. */
  section(section: TableSection, userId: string, after: PageKey | null, budget: PageBudget): Effect.Effect<TextPage>
}

/** What of a project can be read as files. */
export interface ExportsDb {
  readonly exports: Exports
}
