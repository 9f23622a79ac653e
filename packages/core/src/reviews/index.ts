export { departReviews } from "./departure.ts"
export { makeManageReviews } from "./manage-reviews.ts"
export { moderatedReviews } from "./moderated.ts"
export type { ReviewableItems, ReviewFilter, Reviews, ReviewsDb } from "./port.ts"
export {
  AlreadyReviewed,
  InvalidRating,
  InvalidRatingMax,
  InvalidRatingMin,
  ItemKey,
  ListedReview,
  NewReview,
  NewReviewShape,
  Rating,
  Review,
  ReviewApproval,
  ReviewableItem,
  ReviewableItemRow,
  ReviewChanges,
  ReviewChangesShape,
  ReviewStats,
  ReviewWithAuthor,
} from "./review.ts"
export { makeReviews } from "./reviews.ts"
export { averageRating, type Counted, isVisible, type RatingCount } from "./rules.ts"
export { reviewsSection } from "./sections.ts"
