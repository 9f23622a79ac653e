import type { Slice } from "@hearth/core"
import type { CatalogItem, CatalogItems, ListedItem, Listing, Listings, Store, Stores } from "@hearth/core/stores"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { cutPage, jsonBytes, type Measured, readCut, readTotal, textBytes } from "../sql/cut-page.ts"
import { makeTable } from "../sql/table.ts"

const removePrices = (table: string, column: string) => `
  with priced as materialized (
    select id from ${table} where jsonb_exists(${column}, $1) order by id for no key update
  )
  update ${table} set ${column} = ${column} - $1::text where id in (select id from priced)`

/** What can be owned. */
export const makeCatalogItems = (statements: Statements, shape: TableShape): CatalogItems => ({
  ...makeTable<CatalogItem>(statements, shape),
  lockKeys: (keys) =>
    statements.rows<Pick<CatalogItem, "id" | "key">>(
      "select id, key from catalog_items where key = any($1::text[]) order by id for key share",
      [keys],
    ),
  removePrices: (code) => Effect.asVoid(statements.rows(removePrices("catalog_items", "prices"), [code])),
})

const open = `
  from stores s where s.is_active and (
    s.segment_id is null or exists (
      select from segment_memberships m where m.segment_id = s.segment_id and m.app_user_id = $1
    )
  )`

const countIn = (statements: Statements, text: string, values: ReadonlyArray<unknown>) =>
  Effect.map(
    statements.rows<{ readonly total: number }>(`select count(*)::int as total ${text}`, values),
    ([row]) => row?.total ?? 0,
  )

/** Places where items are sold. */
export const makeStores = (statements: Statements, shape: TableShape): Stores => ({
  ...makeTable<Store>(statements, shape),
  pageOpenTo: Effect.fnUntraced(function* (userId, { limit, offset }) {
    const rows = yield* statements.rows<Store>(
      `select ${shape.columns.map((column) => `s.${column}`).join(", ")} ${open}
       order by s.created_at, s.id limit $2 offset $3`,
      [userId, limit, offset],
    )
    return { rows, total: yield* countIn(statements, open, [userId]) }
  }),
})

const withItems = "join catalog_items c on c.id = l.catalog_item_id"
const ofStore = "from store_listings l where l.store_id = $1"
const onSale = `from store_listings l ${withItems} where l.store_id = $1 and c.is_active
  and (l.available_from is null or l.available_from <= $2) and (l.available_until is null or l.available_until > $2)`

const listingBytes = `${textBytes("item_description")} + ${jsonBytes("item_metadata")} + ${jsonBytes("item_contents")}`

/** Items on sale. */
export const makeListings = (statements: Statements, shape: TableShape, item: TableShape): Listings => {
  // Both have an id, so the item's columns have names of their own.
  const columns = [
    ...shape.columns.map((column) => `l.${column}`),
    ...item.columns.map((column) => `c.${column} as item_${column}`),
  ].join(", ")
  const split = (row: Readonly<Record<string, unknown>>) => {
    const pick = (names: ReadonlyArray<string>, prefix = "") =>
      Object.fromEntries(names.map((name) => [name, row[prefix + name]]))
    return { listing: pick(shape.columns), item: pick(item.columns, "item_") } as unknown as ListedItem
  }
  const order = "l.sort_order, l.created_at, l.id"
  const page = Effect.fnUntraced(function* (text: string, values: ReadonlyArray<unknown>, { limit, offset }: Slice) {
    // Sorted and cut before the items come to it: a store may have more listings than fit in the memory of a sort. Each has
    // its item; the page is read also where nothing is there to join, so that a limit that cannot be is told.
    const slice = `select l.* ${text} order by ${order} limit $${values.length + 1} offset $${values.length + 2}`
    const page = `select ${columns} from (${slice}) as l left ${withItems}`
    const cut = cutPage(page, "sort_order, created_at, id", listingBytes)
    const found = yield* statements.rows<Readonly<Record<string, unknown>> & Measured>(cut, [...values, limit, offset])
    const { rows, ...cutShort } = readCut<Readonly<Record<string, unknown>>>(found)
    const total = readTotal({ rows, ...cutShort }, { limit, offset }) ?? (yield* countIn(statements, text, values))
    return { rows: rows.map(split), ...cutShort, total }
  })
  return {
    ...makeTable<Listing>(statements, shape),
    removePrices: (code) => Effect.asVoid(statements.rows(removePrices("store_listings", "override_prices"), [code])),
    pageOfStore: (storeId, slice) => page(ofStore, [storeId], slice),
    pageOnSale: (storeId, now, slice) => page(onSale, [storeId, now], slice),
  }
}
