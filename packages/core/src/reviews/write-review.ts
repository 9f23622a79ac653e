import { Effect, Option } from "effect"
import { NotFound } from "../failure.ts"
import { orFail } from "../lookup.ts"
import type { ReviewsDb } from "./port.ts"
import type { Review, ReviewableItemRow } from "./review.ts"
import { type Counted, changeRatings } from "./rules.ts"

/** A review with its item. */
export interface LockedReview {
  readonly item: ReviewableItemRow
  readonly review: Review
}

/** A review and its item, both locked until the transaction ends, the item first; none where it is not there or not wanted. */
export const lockReview = Effect.fnUntraced(function* (
  db: ReviewsDb,
  id: string,
  isWanted: (review: Review) => boolean = () => true,
) {
  const found = Option.getOrNull(Option.filter(yield* db.reviews.find({ id }), isWanted))
  if (found === null) return Option.none<LockedReview>()
  const item = yield* db.reviewableItems.lock(found.reviewable_item_id)
  return Option.all({ item, review: yield* db.reviews.lock(id, "update") }) satisfies Option.Option<LockedReview>
})

const weigh = (review: Counted | null) => (review?.is_approved === true ? review.rating : null)

/** Writes the ratings of an item after a change of one of its reviews; null is none. The caller has locked the item. */
export const countChange = Effect.fnUntraced(function* (
  db: ReviewsDb,
  item: ReviewableItemRow,
  before: Counted | null,
  after: Counted | null,
) {
  if (weigh(before) === weigh(after)) return
  const [gone, added] = [before, after].map((each) => (each === null ? [] : [each]))
  yield* db.reviewableItems.writeRatings([{ id: item.id, ...changeRatings(item, gone ?? [], added ?? []) }])
})

/** Changes a review, and the ratings of its item with it. The caller has locked both. */
export const changeReview = Effect.fnUntraced(function* (
  db: ReviewsDb,
  { item, review }: LockedReview,
  changes: Partial<Omit<Review, "id" | "app_user_id" | "reviewable_item_id">>,
) {
  const after = yield* Effect.orDie(orFail(db.reviews.update(review.id, changes), NotFound))
  yield* countChange(db, item, review, after)
  return after
})

/** Removes a review, and takes it out of the ratings of its item. Does nothing where there is none that is wanted. */
export const removeReview = Effect.fnUntraced(function* (
  db: ReviewsDb,
  id: string,
  isWanted?: (review: Review) => boolean,
) {
  const locked = Option.getOrNull(yield* lockReview(db, id, isWanted))
  if (locked === null) return
  yield* db.reviews.remove({ id })
  yield* countChange(db, locked.item, locked.review, null)
})
