import { Effect } from "effect"
import { InvalidRating, type Review, type ReviewableItemRow, type ReviewStats } from "./review.ts"

/** The rating that a client gives: a whole number from 1 to 5 [I5.1]. */
export const parseRating = (given: unknown): Effect.Effect<number, InvalidRating> =>
  typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= 5
    ? Effect.succeed(given)
    : Effect.fail(new InvalidRating())

/** Whether a user sees a review: others' where it is approved and shown, their own always [I5.3, I6.3]. */
export const isVisible = (
  { is_approved, moderation, app_user_id }: Pick<Review, "is_approved" | "moderation" | "app_user_id">,
  userId: string,
): boolean => app_user_id === userId || (is_approved && moderation === "shown")

/** The average of ratings by their sum and number: 2 decimals, halves rounded up; null without any [I5.2]. */
export const averageRating = (sum: number, count: number): number | null =>
  // Whole numbers until the last step, so that nothing is rounded twice.
  count === 0 ? null : Math.floor((sum * 200 + count) / (count * 2)) / 100

/** What counts of a review: its rating where it is approved. */
export type Counted = Pick<Review, "is_approved" | "rating">

type Ratings = Pick<ReviewableItemRow, "rating_sum" | "review_count">

const sumUp = (reviews: ReadonlyArray<Counted>): Ratings => {
  const approved = reviews.filter(({ is_approved }) => is_approved)
  return { rating_sum: approved.reduce((sum, { rating }) => sum + rating, 0), review_count: approved.length }
}

/** What an item's ratings are once reviews that it had are gone, and others are there in their place. */
export const changeRatings = (
  { rating_sum, review_count }: Ratings,
  gone: ReadonlyArray<Counted>,
  added: ReadonlyArray<Counted>,
): Ratings & Pick<ReviewableItemRow, "avg_rating"> => {
  const [before, after] = [sumUp(gone), sumUp(added)]
  const sum = rating_sum - before.rating_sum + after.rating_sum
  const count = review_count - before.review_count + after.review_count
  return { rating_sum: sum, review_count: count, avg_rating: averageRating(sum, count) }
}

/** How many reviews there are of a rating, approved or not. */
export interface RatingCount extends Counted {
  readonly count: number
}

/** The statistics of a project by the counts of its reviews [I5.2]. */
export const sumUpStats = (counts: ReadonlyArray<RatingCount>): ReviewStats => {
  const countAll = (of: ReadonlyArray<RatingCount>) => of.reduce((sum, { count }) => sum + count, 0)
  const approved = counts.filter(({ is_approved }) => is_approved)
  const having = (rating: number) => countAll(approved.filter((each) => each.rating === rating))
  const [total, shown] = [countAll(counts), countAll(approved)]
  return {
    total_reviews: total,
    average_rating: averageRating(
      approved.reduce((sum, { rating, count }) => sum + rating * count, 0),
      shown,
    ),
    pending_approval: total - shown,
    rating_distribution: { 1: having(1), 2: having(2), 3: having(3), 4: having(4), 5: having(5) },
  }
}
