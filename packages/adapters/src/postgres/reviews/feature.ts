import type { ReviewsDb } from "@hearth/core/reviews"
import type { TenantFeature } from "../feature.ts"
import { Review, ReviewableItem, reviews } from "./entities.ts"
import { makeReviewableItems } from "./reviewable-items.ts"
import { makeReviews } from "./reviews.ts"

/** Reviews in PostgreSQL: tables and repositories. */
export const reviewsFeature: TenantFeature<ReviewsDb> = {
  tenant: {
    entities: [ReviewableItem, Review],
    steps: [reviews],
    repositories: {
      reviewableItems: (statements, shapes) => makeReviewableItems(statements, shapes(ReviewableItem)),
      reviews: (statements, shapes) => makeReviews(statements, shapes(Review)),
    },
  },
}
