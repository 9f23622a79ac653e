import type { Review, ReviewableItemRow } from "@hearth/core/reviews"
import { anId, builtAt, type Given, makeId, nextNumber } from "../builders.ts"

/** An item that has been reviewed, without approved reviews. */
export const aReviewableItem = (given: Given<ReviewableItemRow> = {}): ReviewableItemRow => {
  const n = nextNumber()
  return {
    id: makeId(n),
    item_type: "book",
    item_id: `book-${n}`,
    avg_rating: null,
    review_count: 0,
    rating_sum: 0,
    ...given,
  }
}

/** A review that waits for approval. */
export const aReview = (given: Given<Review, "app_user_id" | "reviewable_item_id">): Review => ({
  id: anId(),
  rating: 4,
  title: "Good",
  body: null,
  is_approved: false,
  moderation: "shown",
  created_at: new Date(builtAt),
  updated_at: new Date(builtAt),
  ...given,
})
