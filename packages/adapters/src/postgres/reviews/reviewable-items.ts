import { type ReviewableItemRow, type ReviewableItems, ReviewableItemRow as Row } from "@hearth/core/reviews"
import { Effect, Schema, Struct } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"

const ratings = rowSet(Schema.Struct(Struct.pick(Row.fields, ["id", "rating_sum", "review_count", "avg_rating"])))

const writeRatings = `
  update reviewable_items i
  set rating_sum = given.rating_sum, review_count = given.review_count, avg_rating = given.avg_rating
  from ${ratings.from(1)} where i.id = given.id`

const insert = `
  insert into reviewable_items (id, item_type, item_id, avg_rating, review_count, rating_sum)
  values ($1, $2, $3, $4, $5, $6) on conflict (item_type, item_id) do nothing`

/** What has been reviewed. */
export const makeReviewableItems = (statements: Statements, shape: TableShape): ReviewableItems => {
  const columns = shape.columns.join(", ")
  const lockKey = ({ item_type, item_id }: ReviewableItemRow) =>
    statements.rows<ReviewableItemRow>(
      `select ${columns} from reviewable_items where item_type = $1 and item_id = $2 for no key update`,
      [item_type, item_id],
    )
  return {
    ...makeTable<ReviewableItemRow>(statements, shape),
    lockOrInsert: Effect.fnUntraced(function* (row) {
      const [present] = yield* lockKey(row)
      if (present !== undefined) return present
      // Waits for whoever inserts the same item, and then does nothing. Items are never removed, so it is there afterwards.
      const { id, item_type, item_id, avg_rating, review_count, rating_sum } = row
      yield* statements.rows(insert, [id, item_type, item_id, avg_rating, review_count, rating_sum])
      const [found] = yield* lockKey(row)
      return found ?? (yield* Effect.die(new Error("A reviewable item was removed.")))
    }),
    lockReviewedBy: (userId, limit) =>
      statements.rows<ReviewableItemRow>(
        `select ${columns} from reviewable_items where id in (
           select reviewable_item_id from reviews where app_user_id = $1 order by reviewable_item_id limit $2
         ) order by id for no key update`,
        [userId, limit],
      ),
    writeRatings: (rows) => statements.send(writeRatings, ratings.values(rows)),
  }
}
