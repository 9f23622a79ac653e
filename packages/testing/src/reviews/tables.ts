import type { TenantDb } from "@hearth/core"
import { type Review, type ReviewableItemRow, reviewsSection } from "@hearth/core/reviews"
import { Effect } from "effect"
import {
  awkwardInstant,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aReview, aReviewableItem } from "./builders.ts"

/** Writes an item and answers its id. */
export const writeReviewableItem = (db: Pick<TenantDb, "reviewableItems">, given: Partial<ReviewableItemRow> = {}) => {
  const item = aReviewableItem(given)
  return Effect.as(Effect.orDie(db.reviewableItems.insert(item)), item.id)
}

/** The table of what has been reviewed. */
export const reviewableItems: TableCase<TenantDb, ReviewableItemRow> = {
  name: "reviewable items",
  table: (db) => db.reviewableItems,
  row: (_, given) => Effect.sync(() => aReviewableItem(given)),
  samples: [
    { item_type: awkwardText, avg_rating: 4.33, review_count: 2_147_483_647, rating_sum: 2_147_483_647 },
    { item_type: "", avg_rating: 1, review_count: 1, rating_sum: 1 },
    { avg_rating: null, review_count: 0, rating_sum: 0 },
  ],
  unique: [["item_type", "item_id"]],
  sorting: { column: "rating_sum", ascending: [0, 1, 9, 10, 2_147_483_647] },
  nullable: { column: "avg_rating", ascending: [1, 1.01, 2.5, 4.99, 5] },
}

/** The table of reviews. */
export const reviews: TableCase<TenantDb, Review> = {
  name: "reviews",
  table: (db) => db.reviews,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writeUser(db))
    const reviewable_item_id = given.reviewable_item_id ?? (yield* writeReviewableItem(db))
    return aReview({ ...given, app_user_id, reviewable_item_id })
  }),
  samples: [
    {
      ...{ rating: 5, title: awkwardText, body: awkwardText, is_approved: true, moderation: "held" },
      ...{ created_at: earlyInstant, updated_at: lateInstant },
    },
    { rating: 1, title: "", body: "", moderation: "rejected", created_at: awkwardInstant },
    { title: null, body: null },
  ],
  unique: [["app_user_id", "reviewable_item_id"]],
  refused: [{ rating: 0 }, { rating: 6 }],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "title", ascending: textsInOrder },
}

const writeReviews = Effect.fnUntraced(function* (db: TenantDb) {
  const [userId, other] = [yield* writeUser(db), yield* writeUser(db)]
  const items = [yield* writeReviewableItem(db), yield* writeReviewableItem(db)]
  const rows = items.map((reviewable_item_id) => aReview({ app_user_id: userId, reviewable_item_id, body: "=1" }))
  const foreign = aReview({ app_user_id: other, reviewable_item_id: items[0] ?? "" })
  for (const row of [...rows, foreign]) yield* db.reviews.insert(row)
  return { userId, rows }
})

/** What a project promises about the reviews in the file about a user. */
export const reviewSections = [sectionContract(reviewsSection, writeReviews)]
