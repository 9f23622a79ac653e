import type { ListPlace, Page, Slice } from "@hearth/core"
import type { DatedContent } from "@hearth/core/moderation"
import type { RatingCount, Review, ReviewFilter, Reviews } from "@hearth/core/reviews"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeBindings } from "../sql/bindings.ts"
import { cutPage, type Measured, readCut, readTotal, textBytes } from "../sql/cut-page.ts"
import { makeTable } from "../sql/table.ts"

// What core calls visible.
const visible = "reviewable_item_id = $1 and (is_approved and moderation = 'shown' or app_user_id = $2)"

const author = "jsonb_build_object('id', u.id, 'display_name', u.display_name, 'avatar_url', u.avatar_url) as app_users"
const item = "jsonb_build_object('item_type', i.item_type, 'item_id', i.item_id) as reviewable_items"

const newestFirst = "created_at desc, id desc"

const countRatings = `
  select rating, is_approved, count(*)::int as count from reviews group by rating, is_approved`

const removeOf = `
  delete from reviews where app_user_id = $1 and reviewable_item_id = any($2::uuid[])
  returning id, reviewable_item_id, rating, is_approved`

const conditionsOf = ({ is_approved, rating_min, rating_max }: ReviewFilter, place: ListPlace | null = null) => {
  const { bind, values } = makeBindings()
  const conditions = [
    `rating between ${bind(rating_min, "int")} and ${bind(rating_max, "int")}`,
    ...(is_approved === undefined ? [] : [`is_approved = ${bind(is_approved, "boolean")}`]),
    ...(place === null ? [] : [`(created_at, id) < (${bind(place.at, "timestamptz")}, ${bind(place.id, "uuid")})`]),
  ]
  return { where: conditions.join(" and "), values }
}

/** Reviews with their authors and items. */
export const makeReviews = (statements: Statements, shape: TableShape): Reviews => {
  const own = shape.columns.map((column) => `r.${column}`).join(", ")
  const count = (where: string, values: ReadonlyArray<unknown>) =>
    Effect.map(
      statements.rows<{ readonly total: number }>(`select count(*)::int as total from reviews where ${where}`, values),
      ([row]) => row?.total ?? 0,
    )
  /** The reviews that `where` describes. The slice is taken before anything is joined. */
  const list = <Row>(
    where: string,
    values: ReadonlyArray<unknown>,
    joined: { readonly columns: string; readonly from: string },
    { limit, offset }: Slice,
  ) => {
    const at = values.length
    const page = `select * from reviews where ${where} order by ${newestFirst} limit $${at + 1} offset $${at + 2}`
    return Effect.map(
      statements.rows<Row & Measured>(
        `select ${own}, ${joined.columns}, r.page_rows, r.bytes_before
         from (${cutPage(page, newestFirst, textBytes("body"))}) as r ${joined.from} order by r.created_at desc, r.id desc`,
        [...values, limit, offset],
      ),
      readCut<Row>,
    )
  }
  const pageOf = Effect.fnUntraced(function* <Row>(
    ...[where, values, joined, slice]: Parameters<typeof list>
  ): Effect.fn.Return<Page<Row>> {
    const { rows, ...cutShort } = yield* list<Row>(where, values, joined, slice)
    return { rows, total: readTotal({ rows, ...cutShort }, slice) ?? (yield* count(where, values)), ...cutShort }
  })
  const withAuthor = { columns: author, from: "join app_users u on u.id = r.app_user_id" }
  const withItem = {
    columns: `${author}, ${item}`,
    from: `${withAuthor.from} join reviewable_items i on i.id = r.reviewable_item_id`,
  }
  return {
    ...makeTable<Review>(statements, shape),
    count: (userId) => count("app_user_id = $1", [userId]),
    pageOfItem: (itemId, userId, slice) => pageOf(visible, [itemId, userId], withAuthor, slice),
    pageOfAll: (filter, slice) => {
      const { where, values } = conditionsOf(filter)
      return pageOf(where, values, withItem, slice)
    },
    listOfAll: (filter, place, slice) => {
      const { where, values } = conditionsOf(filter, place)
      return list(where, values, withItem, slice)
    },
    countRatings: () => statements.rows<RatingCount>(countRatings),
    newest: (limit) =>
      statements.rows<DatedContent>("select id, created_at from reviews order by created_at desc, id desc limit $1", [
        limit,
      ]),
    removeOf: (userId, itemIds) => statements.rows(removeOf, [userId, itemIds]),
  }
}
