import { Schema } from "effect"
import { failure, fieldFailure } from "../failure.ts"
import { ModerationState } from "../moderation/content.ts"
import { Count, Finite, partial, Timestamp, text, Uuid, withDefaults } from "../schema.ts"
import { Person } from "../users/user.ts"

/** The rating is no whole number from 1 to 5 [I5.1]. */
export class InvalidRating extends fieldFailure(
  "InvalidRating",
  "INVALID_RATING",
  "rating",
  "must be an integer from 1 to 5",
) {}

/** The user has a review of this item already [I5.1]. */
export class AlreadyReviewed extends failure(
  "AlreadyReviewed",
  "conflict",
  "ALREADY_REVIEWED",
  "You have reviewed this already.",
) {}

/** The lowest rating of an export is no whole number from 1 to 5. */
export class InvalidRatingMin extends failure(
  "InvalidRatingMin",
  "invalid",
  "INVALID_RATING_MIN",
  "rating_min must be an integer from 1 to 5.",
) {}

/** The highest rating of an export is no whole number from 1 to 5. */
export class InvalidRatingMax extends failure(
  "InvalidRatingMax",
  "invalid",
  "INVALID_RATING_MAX",
  "rating_max must be an integer from 1 to 5.",
) {}

const identifier = text(1, 255)

/** What can be reviewed: the project's own word for its kind, and its own id. */
export const ItemKey = Schema.Struct({ item_type: identifier, item_id: identifier })
export type ItemKey = typeof ItemKey.Type

const itemFields = {
  id: Uuid,
  ...ItemKey.fields,
  /** The average of the approved ratings with 2 decimals; null without any [I5.2]. */
  avg_rating: Schema.NullOr(Finite),
  /** How many reviews are approved. */
  review_count: Count,
}

/** Something that has been reviewed (spec: reviewable item). */
export const ReviewableItem = Schema.Struct(itemFields).annotate({ identifier: "ReviewableItem" })
export type ReviewableItem = typeof ReviewableItem.Type

/** The same as stored: with the sum of the approved ratings, so that the average is exact without reading the reviews. */
export const ReviewableItemRow = Schema.Struct({ ...itemFields, rating_sum: Count })
export type ReviewableItemRow = typeof ReviewableItemRow.Type

/** A rating: 1 to 5. */
export const Rating = Count.check(Schema.isBetween({ minimum: 1, maximum: 5 }))

const written = {
  title: Schema.NullOr(text(0, 500)),
  // As much text as a client may write [I6.1].
  body: Schema.NullOr(text(0, 20_000)),
}

/** A user's review of an item (spec: review). Unique: the user and the item. */
export const Review = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  reviewable_item_id: Uuid,
  rating: Rating,
  ...written,
  /** Whether others see it, and whether it counts. Only what moderation shows is approved. */
  is_approved: Schema.Boolean,
  moderation: ModerationState,
  created_at: Timestamp,
  updated_at: Timestamp,
}).annotate({ identifier: "Review" })
export type Review = typeof Review.Type

/** A review as users see it: with its author. */
export const ReviewWithAuthor = Schema.Struct({ ...Review.fields, app_users: Person }).annotate({
  identifier: "ReviewWithAuthor",
})
export type ReviewWithAuthor = typeof ReviewWithAuthor.Type

/** A review as developers see it: with its author and what it is about. */
export const ListedReview = Schema.Struct({ ...ReviewWithAuthor.fields, reviewable_items: ItemKey }).annotate({
  identifier: "ListedReview",
})
export type ListedReview = typeof ListedReview.Type

// A bad rating has a code of its own, so the use case reads it.
const givenRating = Schema.Unknown

/** The fields with which a user writes a review. */
export const NewReview = Schema.Struct({
  ...ItemKey.fields,
  rating: Schema.optionalKey(givenRating),
  ...withDefaults(written, { title: null, body: null }),
})
export type NewReview = typeof NewReview.Type

/** The fields of a review that its author can change. Those left out stay. */
export const ReviewChanges = Schema.Struct({ rating: Schema.optionalKey(givenRating), ...partial(written) })
export type ReviewChanges = typeof ReviewChanges.Type

/** What both look like, for the reference. */
export const NewReviewShape = Schema.Struct({ ...NewReview.fields, rating: Rating }).annotate({
  identifier: "NewReview",
})
export const ReviewChangesShape = Schema.Struct({
  ...ReviewChanges.fields,
  rating: Schema.optionalKey(Rating),
}).annotate({
  identifier: "ReviewChanges",
})

/** What developers decide about a review. */
export const ReviewApproval = Schema.Struct({ is_approved: Schema.Boolean }).annotate({ identifier: "ReviewApproval" })

/** How many reviews there are; the average and the counts by rating are of approved ones [I5.2]. */
export const ReviewStats = Schema.Struct({
  total_reviews: Count,
  average_rating: Schema.NullOr(Schema.Finite),
  pending_approval: Count,
  rating_distribution: Schema.Struct({
    1: Count,
    2: Count,
    3: Count,
    4: Count,
    5: Count,
  }),
}).annotate({ identifier: "ReviewStats" })
export type ReviewStats = typeof ReviewStats.Type
