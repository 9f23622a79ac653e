import { ListCursor, NotFound, Timestamp, withDefault } from "@hearth/core"
import { InvalidCursor, InvalidSince } from "@hearth/core/events"
import { ExportFormat, exportTypes } from "@hearth/core/exports"
import {
  InvalidRatingMax,
  InvalidRatingMin,
  ListedReview,
  Review,
  ReviewApproval,
  ReviewableItem,
  ReviewStats,
} from "@hearth/core/reviews"
import { Effect, Schema } from "effect"
import { digits, flag, paging, readsOn } from "../../http/request/query.ts"
import { deleted, listPageOf, ok, pageOf, textFile } from "../../http/response/answers.ts"
import { route } from "../route.ts"

const rating = (byDefault: number) =>
  digits(1, 5).pipe(Schema.withDecodingDefaultKey(Effect.succeed(String(byDefault))))

/** Spec: admin plane, reviews. */
export const adminReviewRoutes = [
  route("GET", "/admin/projects/:projectId/reviews/stats", {
    id: "reviews.stats",
    summary: "Counts the reviews; average and distribution are of approved ones",
    description: "`pending_approval` is how many wait for you.",
    access: "developer",
    returns: ok(ReviewStats),
    run: ({ core, params }) => core.reviews.manage.stats(params.projectId),
  }),
  route("GET", "/admin/projects/:projectId/reviews", {
    id: "reviews.list",
    summary: "Lists the reviews with their authors and items, newest first",
    description:
      "Narrow the list with `is_approved`: false shows those that wait for you; or by rating. With `cursor=start`, and the `next_cursor` of each answer from then on, it is read to its end, however long it is; such a page may be short, and only a `next_cursor` of null is the end.",
    access: "developer",
    query: {
      ...paging(),
      is_approved: Schema.optionalKey(flag),
      rating_min: rating(1),
      rating_max: rating(5),
      ...readsOn(ListCursor),
    },
    malformed: { rating_min: InvalidRatingMin, rating_max: InvalidRatingMax, cursor: InvalidCursor },
    returns: listPageOf(ListedReview, ListCursor),
    run: ({ core, params, query: { limit, offset, cursor, ...filter } }) =>
      core.reviews.manage.list(params.projectId, filter, { limit, offset, cursor }),
  }),
  route("GET", "/admin/projects/:projectId/reviews/export", {
    id: "reviews.export",
    summary: "Sends the reviews as a file, or those created at since or later, or of some ratings",
    description: "CSV, or NDJSON with `format=ndjson`.",
    access: "developer",
    query: {
      format: withDefault(ExportFormat, "csv"),
      since: Schema.optionalKey(Timestamp),
      rating_min: rating(1),
      rating_max: rating(5),
    },
    malformed: { since: InvalidSince, rating_min: InvalidRatingMin, rating_max: InvalidRatingMax },
    returns: textFile(exportTypes.csv, exportTypes.ndjson),
    run: ({ core, params, query }) => core.exports.reviews(params.projectId, query),
  }),
  route("PATCH", "/admin/projects/:projectId/reviews/:reviewId", {
    id: "reviews.update",
    summary: "Approves a review, or takes its approval back",
    description: "Only approved reviews are shown to others and counted in averages.",
    access: "developer",
    body: ReviewApproval,
    errors: [NotFound],
    returns: ok(Review),
    run: ({ core, params, body }) => core.reviews.manage.approve(params.projectId, params.reviewId, body.is_approved),
  }),
  route("DELETE", "/admin/projects/:projectId/reviews/:reviewId", {
    id: "reviews.delete",
    summary: "Removes a review",
    description: "The average of the item is worked out again without it.",
    access: "developer",
    returns: deleted,
    run: ({ core, params }) => core.reviews.manage.remove(params.projectId, params.reviewId),
  }),
  route("GET", "/admin/projects/:projectId/reviews/items", {
    id: "reviews.items.list",
    summary: "Lists what has been reviewed, the best rated first",
    description: "With average and number of approved reviews.",
    access: "developer",
    query: paging(),
    returns: pageOf(ReviewableItem),
    run: ({ core, params, query }) => core.reviews.manage.listItems(params.projectId, query),
  }),
]
