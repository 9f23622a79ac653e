import { InvalidToken, NotFound, QuotaExceeded } from "@hearth/core"
import { ContentRejected } from "@hearth/core/moderation"
import {
  AlreadyReviewed,
  InvalidRating,
  ItemKey,
  NewReview,
  NewReviewShape,
  Review,
  ReviewableItem,
  ReviewChanges,
  ReviewChangesShape,
  ReviewWithAuthor,
} from "@hearth/core/reviews"
import { paging } from "../../http/request/query.ts"
import { created, deleted, ok, pageWith } from "../../http/response/answers.ts"
import { route } from "../route.ts"

const { avg_rating, review_count } = ReviewableItem.fields

/** Decisions D and I5: reviews of users. */
export const clientReviewRoutes = [
  route("POST", "/client/reviews", {
    id: "client.reviews.create",
    summary: "Reviews an item; others see it once it is approved",
    description:
      "One review for each user and item; the item needs no record of its own: `item_type` and `item_id` are yours.",
    access: "client",
    body: NewReview,
    bodyShape: NewReviewShape,
    errors: [InvalidRating, ContentRejected, InvalidToken, AlreadyReviewed, QuotaExceeded],
    returns: created(Review),
    run: ({ core, caller, body }) => core.reviews.create(caller.project_id, caller.user_id, body),
  }),
  route("GET", "/client/reviews", {
    id: "client.reviews.list",
    summary: "Lists the approved reviews of an item and the caller's own, newest first",
    description: "Name the item by `item_type` and `item_id`.",
    access: "client",
    query: { ...paging(), ...ItemKey.fields },
    returns: pageWith(ReviewWithAuthor, { avg_rating, review_count }),
    run: ({ core, caller, query: { item_type, item_id, ...slice } }) =>
      core.reviews.listOfItem(caller.project_id, caller.user_id, { item_type, item_id }, slice),
  }),
  route("PATCH", "/client/reviews/:reviewId", {
    id: "client.reviews.update",
    summary: "Changes the caller's own review, which then waits for approval again",
    description: "Only the keys that are sent change.",
    access: "client",
    body: ReviewChanges,
    bodyShape: ReviewChangesShape,
    errors: [InvalidRating, ContentRejected, InvalidToken, NotFound],
    returns: ok(Review),
    run: ({ core, caller, params, body }) =>
      core.reviews.update(caller.project_id, caller.user_id, params.reviewId, body),
  }),
  route("DELETE", "/client/reviews/:reviewId", {
    id: "client.reviews.delete",
    summary: "Removes the caller's own review",
    description: "The average of the item is worked out again without it, and the caller may review it anew.",
    access: "client",
    returns: deleted,
    run: ({ core, caller, params }) => core.reviews.remove(caller.project_id, caller.user_id, params.reviewId),
  }),
]
