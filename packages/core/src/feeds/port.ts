import type { Effect } from "effect"
import type { ListPlace } from "../list-cursor.ts"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { Sweepable } from "../retention/sweep.ts"
import type { FeedItem, FeedItemRow } from "./feed-item.ts"
import type { FeedRule } from "./feed-rule.ts"
import type { FeedScope } from "./scope.ts"

/** A position in the feed. */
export interface FeedPosition {
  readonly created_at: Date
  readonly id: string
}

/** Which items of a feed are asked for, and by whom. */
export interface FeedQuery {
  readonly viewer_id: string
  readonly scope: FeedScope
  /** Those that come after this position; null is from the newest on. */
  readonly after: FeedPosition | null
  readonly limit: number
}

/** Up to `limit` items, and where the next page begins; null at the end. */
export interface FeedSlice {
  readonly items: ReadonlyArray<FeedItem>
  readonly next: FeedPosition | null
}

/** Which events make items. Whoever changes them has the project's hold. */
export interface FeedRules extends Table<FeedRule> {
  count(): Effect.Effect<number>
  /** The active rules of events of these names, by id. */
  listActive(eventNames: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<FeedRule>>
}

/** The items of feeds. Unique: `event_id` and `rule_id`. Removed with their actor; they stay when their rule is removed. */
export interface FeedItems extends Table<FeedItemRow>, Sweepable {
  /** Those of the ids that are groups. */
  findGroups(ids: ReadonlyArray<string>): Effect.Effect<ReadonlySet<string>>
  /**
   * Writes those whose event and rule have none yet and whose actor exists, and skips the others. Locks the actors against removal,
   * in the order of their ids.
   */
  insertNew(items: ReadonlyArray<FeedItemRow>): Effect.Effect<void>
  /**
   * A page of a feed, the newest first, by greater id at one instant. Left out are items of users between whom and the viewer there
   * is a block, and those of groups that are not public and shown; but all are in `mine`, and those of the group in `group` [I3.1, I3.2].
   * It reads a bounded number of items, so a page may be short where much is left out; nothing is skipped by that.
   */
  readFeed(query: FeedQuery): Effect.Effect<FeedSlice>
  /** All items, or those of an action, the newest first, by greater id at one instant. */
  pageWithActors(action: string | null, slice: Slice): Effect.Effect<Page<FeedItem>>
  /** A slice of those that come after a place in that order. */
  listWithActors(action: string | null, place: ListPlace, slice: Slice): Effect.Effect<ReadonlyArray<FeedItem>>
  /** Removes up to `limit` items of a user and answers how many. Passes over those that others have locked. */
  removeSome(actorId: string, limit: number): Effect.Effect<number>
}

/** What a project's database has of feeds. */
export interface FeedsDb {
  readonly feedRules: FeedRules
  readonly feedItems: FeedItems
}
