import { Effect } from "effect"
import type { ModerationDb } from "../moderation/port.ts"
import type { Departure } from "../users/departure.ts"
import type { ReviewsDb } from "./port.ts"
import { changeRatings } from "./rules.ts"

const pieceRows = 500

/** The reviews of a user: they go, the averages follow, and moderators no longer see what they said [I0.4]. */
export const departReviews: Departure<ReviewsDb & ModerationDb> = Effect.fnUntraced(function* (db, userId) {
  const items = yield* db.reviewableItems.lockReviewedBy(userId, pieceRows)
  if (items.length === 0) return false
  const gone = yield* db.reviews.removeOf(
    userId,
    items.map(({ id }) => id),
  )
  const byItem = Map.groupBy(gone, ({ reviewable_item_id }) => reviewable_item_id)
  const changed = items.filter(({ id }) => byItem.get(id)?.some(({ is_approved }) => is_approved) === true)
  if (changed.length > 0)
    yield* db.reviewableItems.writeRatings(
      changed.map((item) => ({ id: item.id, ...changeRatings(item, byItem.get(item.id) ?? [], []) })),
    )
  // Last, as the items of moderation always are.
  yield* db.moderationQueue.clearExcerpts(
    "review",
    gone.map(({ id }) => id),
  )
  return items.length === pieceRows
})
