import {
  type Counted,
  isVisible,
  type ListedReview,
  Review,
  ReviewableItemRow,
  type ReviewableItems,
  type ReviewFilter,
  type Reviews,
  type ReviewsDb,
  type ReviewWithAuthor,
} from "@hearth/core/reviews"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRows, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sliceAfter, sorted } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"

/** The table of what has been reviewed. */
export const reviewableItemShape = describeTable("reviewable items", ReviewableItemRow, {
  unique: [["item_type", "item_id"]],
})

/** The table of reviews. */
export const reviewShape = describeTable("reviews", Review, {
  unique: [["app_user_id", "reviewable_item_id"]],
  checks: [({ rating }) => rating >= 1 && rating <= 5],
  parents: { app_user_id: userShape.name, reviewable_item_id: reviewableItemShape.name },
})

const newestFirst = [
  ["created_at", "desc"],
  ["id", "desc"],
] as const

const withAuthor = (draft: Draft, review: Review): ReviewWithAuthor => {
  const user = rowsOf(draft, userShape).get(review.app_user_id)
  if (user === undefined) throw new Error("A review has an author who is not there.")
  return { ...review, app_users: { id: user.id, display_name: user.display_name, avatar_url: user.avatar_url } }
}

const withItem = (draft: Draft, review: Review): ListedReview => {
  const item = rowsOf(draft, reviewableItemShape).get(review.reviewable_item_id)
  if (item === undefined) throw new Error("A review has an item that is not there.")
  const { item_type, item_id } = item
  return { ...withAuthor(draft, review), reviewable_items: { item_type, item_id } }
}

const memoryItems = (statements: Statements): ReviewableItems => ({
  ...memoryTable(statements, reviewableItemShape),
  lockOrInsert: (row) =>
    statements.change((draft) => {
      const { item_type, item_id } = row
      const [present] = lockRows(draft, reviewableItemShape, select(draft, reviewableItemShape, { item_type, item_id }))
      return present ?? insertRow(draft, reviewableItemShape, row)
    }),
  lockReviewedBy: (userId, limit) =>
    statements.query((draft) => {
      const ids = select(draft, reviewShape, { app_user_id: userId }).map((review) => review.reviewable_item_id)
      const items = ids.toSorted().slice(0, limit)
      return lockRows(
        draft,
        reviewableItemShape,
        items.flatMap((id) => select(draft, reviewableItemShape, { id })),
      )
    }),
  writeRatings: (rows) =>
    statements.change((draft) => {
      for (const { id, ...ratings } of rows)
        for (const present of select(draft, reviewableItemShape, { id }))
          replaceRow(draft, reviewableItemShape, present, { ...present, ...ratings })
    }),
})

const filtered = (draft: Draft, { is_approved, rating_min, rating_max }: ReviewFilter) =>
  select(draft, reviewShape, is_approved === undefined ? {} : { is_approved }).filter(
    ({ rating }) => rating >= rating_min && rating <= rating_max,
  )

const memoryReviews = (statements: Statements): Reviews => ({
  ...memoryTable(statements, reviewShape),
  count: (app_user_id) => statements.query((draft) => select(draft, reviewShape, { app_user_id }).length),
  pageOfItem: (reviewable_item_id, userId, slice) =>
    statements.query((draft) => {
      const [id = ""] = keepIds([userId])
      const seen = select(draft, reviewShape, { reviewable_item_id }).filter((review) => isVisible(review, id))
      const { rows, total } = pageOf(sorted(reviewShape, seen, newestFirst), slice)
      return { rows: rows.map((review) => withAuthor(draft, review)), total }
    }),
  pageOfAll: (filter, slice) =>
    statements.query((draft) => {
      const { rows, total } = pageOf(sorted(reviewShape, filtered(draft, filter), newestFirst), slice)
      return { rows: rows.map((review) => withItem(draft, review)), total }
    }),
  listOfAll: (filter, { at, id }, slice) =>
    statements.query((draft) => {
      const rows = sliceAfter(reviewShape, filtered(draft, filter), newestFirst, { created_at: at, id }, slice)
      return { rows: rows.map((review) => withItem(draft, review)) }
    }),
  countRatings: () =>
    statements.query((draft) => {
      const key = ({ rating, is_approved }: Counted) => `${rating} ${is_approved}`
      const groups = Map.groupBy(rowsOf(draft, reviewShape).values(), key)
      return [...groups.values()].flatMap((reviews) =>
        reviews.slice(0, 1).map(({ rating, is_approved }) => ({ rating, is_approved, count: reviews.length })),
      )
    }),
  newest: (limit) =>
    statements.query((draft) =>
      sorted(reviewShape, select(draft, reviewShape, {}), newestFirst)
        .slice(0, limit)
        .map(({ id, created_at }) => ({ id, created_at })),
    ),
  removeOf: (app_user_id, itemIds) =>
    statements.change((draft) => {
      const items = new Set(keepIds(itemIds))
      const gone = select(draft, reviewShape, { app_user_id }).filter((each) => items.has(each.reviewable_item_id))
      for (const review of gone) removeRow(draft, reviewShape, review)
      return gone.map(({ id, reviewable_item_id, rating, is_approved }) => ({
        id,
        reviewable_item_id,
        rating,
        is_approved,
      }))
    }),
})

/** Reviews in memory. */
export const memoryReviewsDb = (statements: Statements): ReviewsDb => ({
  reviewableItems: memoryItems(statements),
  reviews: memoryReviews(statements),
})
