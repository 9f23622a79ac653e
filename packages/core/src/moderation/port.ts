import type { Effect, Option } from "effect"
import type { ListPlace } from "../list-cursor.ts"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { ContentType } from "./content.ts"
import type { QueueItem, QueueItemRow, QueueReason, QueueStatus, ReportRow } from "./queue-item.ts"
import type { ModerationRuleRow } from "./rule.ts"
import type { ListedTrustLevel, TrustLevel } from "./trust-level.ts"

/** The rules of a project. Removing one leaves what it has queued, without `rule_id`. */
export interface ModerationRules extends Table<ModerationRuleRow> {
  /** Serializes the creation and the changes of rules, until the transaction ends, so that their limits hold. */
  lockChanges(): Effect.Effect<void>
  /** The active rules, the oldest first. */
  active(): Effect.Effect<ReadonlyArray<ModerationRuleRow>>
  /** Ids and revisions of the active rules as one text: it differs where they do. "" where there are none. */
  activeVersion(): Effect.Effect<string>
  count(): Effect.Effect<number>
}

/** A piece of content. */
export interface ContentKey {
  readonly content_type: ContentType
  readonly content_id: string
}

/** Selects items. A `content_type` of null is every type, an `app_user_id` of null every author. */
export interface QueueFilter {
  readonly status: QueueStatus
  readonly content_type: ContentType | null
  /** Whose content it is. */
  readonly app_user_id: string | null
}

/** A match to queue. */
export interface QueuedMatch extends ContentKey {
  /** The id of the item where a new one is made. */
  readonly id: string
  readonly app_user_id: string
  readonly reason: QueueReason
  readonly rule_id: string | null
  readonly excerpt: string
  readonly created_at: Date
}

/** What waits for moderators. Unique: the content, of open items. Users and rules that go leave their items. */
export interface ModerationQueue extends Table<QueueItemRow> {
  /**
   * Queues a match: makes the open item of the content, or notes rule and excerpt on the one that there is. Does nothing and
   * answers false where the author has `auto_approve`. One statement.
   */
  add(match: QueuedMatch): Effect.Effect<boolean>
  /** The open item of a content, locked until the transaction ends. */
  lockOpen(content: ContentKey): Effect.Effect<Option.Option<QueueItemRow>>
  /** The item of a content that was resolved last. */
  findResolved(content: ContentKey): Effect.Effect<Option.Option<QueueItemRow>>
  /** Forgets which text of a content was approved, so that it can be reported again. */
  forgetText(content: ContentKey): Effect.Effect<void>
  /** Empties what all items of these contents show of their text. For contents that are gone with their user. */
  clearExcerpts(content_type: ContentType, content_ids: ReadonlyArray<string>): Effect.Effect<void>
  /** An item with its reports: how many, and the newest 20 reasons. `of` limits the reasons to those of one user. */
  show(id: string, of: string | null): Effect.Effect<Option.Option<QueueItem>>
  /** The items of a status with their reports, the newest first. */
  pageShown(filter: QueueFilter, slice: Slice): Effect.Effect<Page<QueueItem>>
  /** A slice of those that come after a place in that list: by `created_at`, then `id`, both descending. */
  listShownAfter(filter: QueueFilter, place: ListPlace, slice: Slice): Effect.Effect<ReadonlyArray<QueueItem>>
  /**
   * Removes up to `limit` items that were resolved before `before`, with their reports, the earliest first, and passes over those
   * that others have locked. Answers how many.
   */
  removeResolved(before: Date, limit: number): Effect.Effect<number>
  /** When the first item was resolved that is still there. */
  firstResolvedAt(): Effect.Effect<Option.Option<Date>>
}

/** What users have reported. Gone with the item, and with the user who reports. */
export interface ModerationReports extends Table<ReportRow> {
  /** Writes a report. Answers false where this user has reported this text before. */
  add(report: ReportRow): Effect.Effect<boolean>
}

/** How far users are trusted: at most one row per user, gone with the user. */
export interface TrustLevels {
  find(userId: string): Effect.Effect<Option.Option<TrustLevel>>
  /** Writes the row of a user. The caller has locked the user. */
  save(trust: TrustLevel): Effect.Effect<void>
  /** With their users, the latest changed first. */
  page(slice: Slice): Effect.Effect<Page<ListedTrustLevel>>
  /** A slice of those that come after a place in that list: by `updated_at`, then the id of the user, both descending. */
  listAfter(place: ListPlace, slice: Slice): Effect.Effect<ReadonlyArray<ListedTrustLevel>>
}

/** What a project has of moderation. */
export interface ModerationDb {
  readonly moderationRules: ModerationRules
  readonly moderationQueue: ModerationQueue
  readonly moderationReports: ModerationReports
  readonly trustLevels: TrustLevels
}
