import { Effect, Option } from "effect"
import type { Dispatcher } from "../background/dispatcher.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventsDb } from "../events/port.ts"
import { InvalidToken, NotFound, QuotaExceeded } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { ContentRejected, Moderate, ModerationState } from "../moderation/content.ts"
import type { ModerationDb } from "../moderation/port.ts"
import type { Ports } from "../ports/ports.ts"
import type { Slice } from "../ports/table.ts"
import type { UsersDb } from "../users/port.ts"
import type { ReviewsDb } from "./port.ts"
import { AlreadyReviewed, type ItemKey, type NewReview, type Review, type ReviewChanges } from "./review.ts"
import { parseRating } from "./rules.ts"
import { changeReview, countChange, lockReview, removeReview } from "./write-review.ts"

/** The most reviews of a user [I0.2]. */
const maxReviews = 5_000

/** Whether a review says already what it is to be changed to. */
const isUnchanged = (review: Review, { rating, title, body }: Partial<Pick<Review, "rating" | "title" | "body">>) =>
  (rating === undefined || rating === review.rating) &&
  (title === undefined || title === review.title) &&
  (body === undefined || body === review.body)

/** What users do with reviews [I5.1, I5.3]. `moderate` reads what they write. */
export const makeReviews = <Db extends BackgroundDb & EventsDb & ModerationDb & ReviewsDb & UsersDb>(
  { clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">,
  background: Pick<Dispatcher<Db>, "transact">,
  moderate: Moderate<ModerationDb>,
) => {
  /** Whether a review is approved without anybody looking at it [I5.1]. */
  const isApproved = (db: Db, userId: string, state: ModerationState) =>
    state === "shown" ? moderate.isTrusted(db, userId) : Effect.succeed(false)

  const checkNew = Effect.fnUntraced(function* (db: Db, userId: string, key: ItemKey) {
    const item = Option.getOrNull(yield* db.reviewableItems.find(key))
    const own = item === null ? {} : { app_user_id: userId, reviewable_item_id: item.id }
    if (item !== null && Option.isSome(yield* db.reviews.find(own))) return yield* new AlreadyReviewed()
    if ((yield* db.reviews.count(userId)) >= maxReviews) return yield* new QuotaExceeded({ limit: maxReviews })
  })

  return {
    /**
     * Writes a review: one per user and item. It waits for approval, unless its author is trusted. Writes `review_posted` [I5.1].
     * `ALREADY_REVIEWED`; `INVALID_RATING`; `CONTENT_REJECTED` by a rule [I6.1]; `QUOTA_EXCEEDED` over 5,000 of the user [I0.2];
     * `INVALID_TOKEN` for a user who is gone.
     */
    create: Effect.fn("reviews.create")(function* (
      projectId: string,
      userId: string,
      { item_type, item_id, title, body, rating: given }: NewReview,
    ) {
      const rating = yield* parseRating(given)
      const findings = yield* moderate.check(projectId, { texts: [title, body], urls: [] })
      return yield* background.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const [id, now] = [ids.uuid(), clock.now()]
          // Locked, because the user's reviews are counted.
          yield* orFail(db.users.lock(userId), InvalidToken)
          yield* checkNew(db, userId, { item_type, item_id })
          const blank = { id: ids.uuid(), avg_rating: null, review_count: 0, rating_sum: 0 }
          const item = yield* db.reviewableItems.lockOrInsert({ ...blank, item_type, item_id })
          const content = { content_type: "review", content_id: id, app_user_id: userId } as const
          const moderation = yield* moderate.record(db, findings, content, null)
          const review: Review = {
            ...{ id, app_user_id: userId, reviewable_item_id: item.id, rating, title, body, moderation },
            is_approved: yield* isApproved(db, userId, moderation),
            ...{ created_at: now, updated_at: now },
          }
          yield* Effect.orDie(db.reviews.insert(review))
          yield* countChange(db, item, null, review)
          const posted = { event_name: "review_posted", properties: { item_type, item_id, rating }, occurred_at: now }
          yield* db.events.insertCaused([
            { ...posted, id: ids.uuid(), app_user_id: userId, cause_key: `reviews/${id}/review_posted` },
          ])
          return review
        }),
      )
    }),

    /**
     * Changes the caller's own review. It waits for approval again, unless its author is trusted; one that was rejected stays so. Without
     * a change it is answered as it is [I5.1]. `NOT_FOUND`, also for another's; `INVALID_RATING`; `CONTENT_REJECTED` by a rule [I6.1];
     * `INVALID_TOKEN` for a user who is gone.
     */
    update: Effect.fn("reviews.update")(function* (
      projectId: string,
      userId: string,
      id: string,
      { rating: given, ...texts }: ReviewChanges,
    ) {
      const changes = given === undefined ? texts : { ...texts, rating: yield* parseRating(given) }
      const { title = null, body = null } = texts
      const isOwn = (review: Review) => review.app_user_id === userId
      const findOwn = orFail(
        tenants.read(projectId, (db) => Effect.map(db.reviews.find({ id }), Option.filter(isOwn))),
        NotFound,
      )
      if (Object.keys(changes).length === 0) return yield* findOwn
      // Whoever may not change it is told so, whatever the text.
      const refuse = (refusal: ContentRejected) => Effect.andThen(findOwn, Effect.fail(refusal))
      const checked = moderate.check(projectId, { texts: [title, body], urls: [] })
      const findings = yield* Effect.catchTag(checked, "ContentRejected", refuse)
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          // Before the review: what moderation queues names the user.
          yield* orFail(db.users.lock(userId, "key share"), InvalidToken)
          const locked = yield* orFail(lockReview(db, id, isOwn), NotFound)
          if (isUnchanged(locked.review, changes)) return locked.review
          const content = { content_type: "review", content_id: id, app_user_id: userId } as const
          const moderation = yield* moderate.record(db, findings, content, locked.review.moderation)
          const is_approved = yield* isApproved(db, userId, moderation)
          return yield* changeReview(db, locked, { ...changes, moderation, is_approved, updated_at: clock.now() })
        }),
      )
    }),

    /** Removes the caller's own review. Nothing happens where there is none [I5.1]. */
    remove: Effect.fn("reviews.remove")((projectId: string, userId: string, id: string) =>
      tenants.transact(projectId, (db) => removeReview(db, id, ({ app_user_id }) => app_user_id === userId)),
    ),

    /** The reviews of an item that the caller sees, the newest first, with the item's average and count [I5.3]. */
    listOfItem: Effect.fn("reviews.listOfItem")((projectId: string, userId: string, key: ItemKey, slice: Slice) =>
      tenants.read(
        projectId,
        Effect.fnUntraced(function* (db) {
          const item = Option.getOrNull(yield* db.reviewableItems.find(key))
          if (item === null) return { rows: [], total: 0, avg_rating: null, review_count: 0 }
          const { avg_rating, review_count } = item
          return { ...(yield* db.reviews.pageOfItem(item.id, userId, slice)), avg_rating, review_count }
        }),
      ),
    ),
  }
}
