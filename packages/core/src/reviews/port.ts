import type { Effect } from "effect"
import type { ListPlace } from "../list-cursor.ts"
import type { DatedContent } from "../moderation/content.ts"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { ListedReview, Review, ReviewableItemRow, ReviewWithAuthor } from "./review.ts"
import type { Counted, RatingCount } from "./rules.ts"

/**
 * What has been reviewed. Unique: `item_type` and `item_id`. Never removed. Whoever writes, approves or removes a review has locked
 * its item, so that sum, count and average are those of the approved reviews at every commit [I5.2].
 */
export interface ReviewableItems extends Table<ReviewableItemRow> {
  /** The item of the type and id of `row`, locked until the transaction ends; `row` itself, where there is none yet. */
  lockOrInsert(row: ReviewableItemRow): Effect.Effect<ReviewableItemRow>
  /** Locks up to `limit` items that a user has reviewed, in the order of their ids, until the transaction ends. */
  lockReviewedBy(userId: string, limit: number): Effect.Effect<ReadonlyArray<ReviewableItemRow>>
  /** Writes sums, counts and averages. The caller has locked the items. */
  writeRatings(rows: ReadonlyArray<Omit<ReviewableItemRow, "item_type" | "item_id">>): Effect.Effect<void>
}

/** Which reviews a developer asks for. */
export interface ReviewFilter {
  /** Approved or not, where it is left out. */
  readonly is_approved?: boolean
  /** The lowest and the highest rating. */
  readonly rating_min: number
  readonly rating_max: number
}

/** The reviews of users. Unique: `app_user_id` and `reviewable_item_id`. Removed with either. */
export interface Reviews extends Table<Review> {
  /** How many a user has written. */
  count(userId: string): Effect.Effect<number>
  /** The reviews of an item that a user sees, the newest first, then by greater id: see `isVisible`. */
  pageOfItem(itemId: string, userId: string, slice: Slice): Effect.Effect<Page<ReviewWithAuthor>>
  /** The reviews that pass a filter, the newest first, then by greater id. */
  pageOfAll(filter: ReviewFilter, slice: Slice): Effect.Effect<Page<ListedReview>>
  /** A slice of those that come after a place in that order. Like a page it may be cut. */
  listOfAll(
    filter: ReviewFilter,
    place: ListPlace,
    slice: Slice,
  ): Effect.Effect<Pick<Page<ListedReview>, "rows" | "is_cut">>
  /** How many there are by rating and approval. */
  countRatings(): Effect.Effect<ReadonlyArray<RatingCount>>
  /** Which are the newest, up to `limit`. */
  newest(limit: number): Effect.Effect<ReadonlyArray<DatedContent>>
  /** Removes the reviews that a user has of these items, and answers what they were. The caller has locked the items. */
  removeOf(
    userId: string,
    itemIds: ReadonlyArray<string>,
  ): Effect.Effect<ReadonlyArray<Counted & Pick<Review, "id" | "reviewable_item_id">>>
}

/** What a project's database has for reviews. */
export interface ReviewsDb {
  readonly reviewableItems: ReviewableItems
  readonly reviews: Reviews
}
