import type { Page } from "@hearth/core"
import { type ContentItem, type ContentItems, type ItemFilter, UnplacedItem } from "@hearth/core/content"
import type { DatedContent } from "@hearth/core/moderation"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, jsonBytes, type Measured, readCut, textBytes } from "../sql/cut-page.ts"
import { rowSet } from "../sql/row-set.ts"
import { makeTable } from "../sql/table.ts"

const unplaced = rowSet(UnplacedItem)

// The library is locked by an earlier statement, so this one sees what whoever held it before has written.
const append = `
  with added as (
    insert into content_items (${unplaced.columns.join(", ")}, sort_order)
    select ${unplaced.columns.map((column) => `given.${column}`).join(", ")}, last.sort_order + given.ordinal
    from ${unplaced.from(2)}, (
      select coalesce(max(sort_order), 0) as sort_order from content_items where library_id = $1
    ) as last
    returning sort_order
  )
  select min(sort_order) as first from added`

const release = `
  with mine as materialized (
    select id from content_items where owner_app_user_id = $1 order by id limit $2 for no key update
  )
  update content_items set owner_app_user_id = null where id in (select id from mine)`

// Found by the index of the library, however large that is, then locked by id like everywhere.
const removeSome = `
  with picked as materialized (
    select id from content_items where library_id = $1 order by sort_order limit $2
  ), locked as materialized (
    select id from content_items where id in (select id from picked) order by id for update
  )
  delete from content_items where id in (select id from locked)`

/** How large an item is. */
export const itemBytes = `${textBytes("body")} + ${jsonBytes("metadata")} + ${jsonBytes("tags")}`

const pageSql = (libraryId: string, { reader, category, is_active = true }: ItemFilter) => {
  const values = [libraryId]
  const bind = (value: string, type: string) => `$${values.push(value)}::${type}`
  const isOf = category === null ? "" : `and category = ${bind(category, "text")}`
  const isSeen =
    reader === null
      ? ""
      : `and (moderation = 'shown' or (moderation = 'held' and owner_app_user_id = ${bind(reader, "uuid")}))`
  return {
    text: `from content_items where library_id = $1 and ${is_active ? "" : "not "}is_active ${isOf} ${isSeen}`,
    values,
  }
}

/** What libraries hold. */
export const makeItems = (statements: Statements, shape: TableShape): ContentItems => {
  const columns = shape.columns.join(", ")
  const first = <Row>(text: string, values: ReadonlyArray<unknown>, fallback: Row) =>
    Effect.map(statements.rows<Row>(text, values), ([row]) => row ?? fallback)
  return {
    ...makeTable<ContentItem>(statements, shape),
    append: (libraryId, items) =>
      Effect.map(
        first<{ readonly first: number | null }>(append, [libraryId, ...unplaced.values(items)], { first: null }),
        (row) => {
          if (row.first === null) throw new RangeError("There are no items to append.")
          return row.first
        },
      ),
    pageOfLibrary: Effect.fnUntraced(function* (libraryId, filter, { limit, offset }) {
      const { text, values } = pageSql(libraryId, filter)
      const at = values.length
      const page = `select ${columns} ${text} order by sort_order, id limit $${at + 1} offset $${at + 2}`
      const cut = cutPage(page, "sort_order, id", itemBytes)
      const found = yield* statements.rows<ContentItem & Measured>(cut, [...values, limit, offset])
      const { rows, ...cutShort } = readCut<ContentItem>(found)
      if (cutShort.is_cut !== true && rows.length > 0 && rows.length < limit)
        return { rows, total: offset + rows.length } satisfies Page<ContentItem>
      const { total } = yield* first(`select count(*)::int as total ${text}`, values, { total: 0 })
      return { rows, total, ...cutShort } satisfies Page<ContentItem>
    }),
    countOwned: (userId) =>
      Effect.map(
        first("select count(*)::int as total from content_items where owner_app_user_id = $1", [userId], { total: 0 }),
        ({ total }) => total,
      ),
    newestOfUsers: (limit) =>
      statements.rows<DatedContent>(
        `select id, created_at from content_items where owner_app_user_id is not null
         order by created_at desc, id desc limit $1`,
        [limit],
      ),
    release: (userId, limit) => statements.count(release, [userId, limit]),
    removeSome: (libraryId, limit) => statements.count(removeSome, [libraryId, limit]),
  }
}
