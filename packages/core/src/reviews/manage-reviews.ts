import { Effect } from "effect"
import { NotFound } from "../failure.ts"
import { type ListQuery, readLargeList } from "../list-cursor.ts"
import { orFail } from "../lookup.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { ReviewFilter, ReviewsDb } from "./port.ts"
import { sumUpStats } from "./rules.ts"
import { changeReview, lockReview, removeReview } from "./write-review.ts"

/** What developers do with reviews (spec: admin plane, reviews). */
export const makeManageReviews = ({ clock, tenants }: Pick<Ports<ReviewsDb>, "clock" | "tenants">) => ({
  /** How many there are, and how good they are [I5.2]. */
  stats: (projectId: string) => tenants.read(projectId, (db) => Effect.map(db.reviews.countRatings(), sumUpStats)),

  /**
   * The reviews that pass a filter (`is_approved`, ratings from 1 to 5), the newest first [I5.2]. With a cursor a page may be short: only a
   * `next_cursor` of null is the end.
   */
  list: (projectId: string, filter: ReviewFilter, query: ListQuery) =>
    tenants.read(projectId, ({ reviews }) =>
      readLargeList(query, {
        page: (slice) => reviews.pageOfAll(filter, slice),
        after: (place, slice) => reviews.listOfAll(filter, place, slice),
        place: ({ created_at, id }) => ({ at: created_at, id }),
      }),
    ),

  /** What has been reviewed, the best first; what has no approved review comes last [I5.2]. */
  listItems: (projectId: string, slice: Slice) =>
    tenants.read(projectId, (db) => db.reviewableItems.page({}, [["avg_rating", "desc"]], slice)),

  /** Approves a review, or takes its approval back. Either way moderation shows it [I6.3]. `NOT_FOUND`. */
  approve: Effect.fn("reviews.approve")((projectId: string, id: string, is_approved: boolean) =>
    tenants.transact(
      projectId,
      Effect.fnUntraced(function* (db) {
        const locked = yield* orFail(lockReview(db, id), NotFound)
        const { review } = locked
        if (review.is_approved === is_approved && review.moderation === "shown") return review
        return yield* changeReview(db, locked, { is_approved, moderation: "shown", updated_at: clock.now() })
      }),
    ),
  ),

  /** Removes a review. Nothing happens where there is none [I5.2]. */
  remove: Effect.fn("reviews.removeAny")((projectId: string, id: string) =>
    tenants.transact(projectId, (db) => removeReview(db, id)),
  ),
})
