import { Effect, Option } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { ModeratedContent, ModerationState, Submission } from "../moderation/content.ts"
import type { ReviewsDb } from "./port.ts"
import type { Review } from "./review.ts"
import { isVisible } from "./rules.ts"
import { changeReview, lockReview } from "./write-review.ts"

const submit = ({ id, app_user_id, title, body }: Review): Submission => ({
  content_type: "review",
  content_id: id,
  app_user_id,
  texts: [title, body],
  urls: [],
})

/** Writes what a moderator decides. The caller has locked the review and its item. */
const decide = Effect.fnUntraced(function* (db: ReviewsDb, id: string, moderation: ModerationState, at: Date) {
  const review = yield* Effect.orDie(orFail(db.reviews.find({ id }), NotFound))
  const item = yield* Effect.orDie(orFail(db.reviewableItems.find({ id: review.reviewable_item_id }), NotFound))
  yield* changeReview(db, { item, review }, { moderation, is_approved: moderation === "shown", updated_at: at })
})

/** What moderation does with reviews: what it approves becomes approved, what it rejects is not [I6.3]. Averages follow. */
export const moderatedReviews: ModeratedContent<ReviewsDb> = {
  content_type: "review",
  find: (db, id, { lock }) => {
    const found = lock
      ? Effect.map(
          lockReview(db, id),
          Option.map(({ review }) => review),
        )
      : db.reviews.find({ id })
    return Effect.map(found, (review) =>
      Option.getOrNull(Option.map(review, (each) => ({ ...submit(each), state: each.moderation }))),
    )
  },
  isVisibleTo: (db, id, userId) =>
    Effect.map(
      db.reviews.find({ id }),
      Option.exists((review) => isVisible(review, userId)),
    ),
  show: (db, id, at) => decide(db, id, "shown", at),
  hide: (db, id, at) => decide(db, id, "rejected", at),
  newest: (db, limit) => db.reviews.newest(limit),
}
