import {
  CatalogItem,
  type CatalogItems,
  type Inventory,
  type InventoryItem,
  InventoryRow,
  Listing,
  type Listings,
  mostOwned,
  Purchase,
  type Purchases,
  Store,
  type Stores,
} from "@hearth/core/stores"
import { Struct } from "effect"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRows, ownerOfKey, replaceRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"
import { membershipShape } from "../segments/memory-shapes.ts"

/** The table of what can be owned. */
export const catalogItemShape = describeTable("catalog items", CatalogItem, { unique: [["key"]] })

/** The table of stores. */
export const storeShape = describeTable("stores", Store)

/** The table of what stores sell. */
export const listingShape = describeTable("listings", Listing, {
  unique: [["store_id", "catalog_item_id"]],
  checks: [({ max_purchases_per_user }) => max_purchases_per_user === null || max_purchases_per_user > 0],
  parents: { store_id: "stores", catalog_item_id: "catalog items" },
})

/** The table of what users own. */
export const inventoryShape = describeTable("inventory", InventoryRow, {
  unique: [["app_user_id", "catalog_item_id"]],
  checks: [({ quantity }) => quantity > 0],
  parents: { app_user_id: "users", catalog_item_id: "catalog items" },
})

/** The table of purchases. */
export const purchaseShape = describeTable("purchases", Purchase, { parents: { app_user_id: "users" } })

/** What can be owned. */
export const memoryCatalogItems = (statements: Statements): CatalogItems => ({
  ...memoryTable(statements, catalogItemShape),
  lockKeys: (keys) =>
    statements.query((draft) => {
      const rows = [...new Set(keys)].flatMap((key) => select(draft, catalogItemShape, { key }))
      const locked = lockRows(draft, catalogItemShape, sorted(catalogItemShape, rows, []), "key share")
      return locked.map(({ id, key }) => ({ id, key }))
    }),
  removePrices: (code) =>
    statements.change((draft) => {
      const priced = sorted(catalogItemShape, [...rowsOf(draft, catalogItemShape).values()], []).filter(({ prices }) =>
        Object.hasOwn(prices, code),
      )
      for (const item of lockRows(draft, catalogItemShape, priced))
        replaceRow(draft, catalogItemShape, item, { ...item, prices: Struct.omit(item.prices, [code]) })
    }),
})

/** Places where items are sold. */
export const memoryStores = (statements: Statements): Stores => ({
  ...memoryTable(statements, storeShape),
  pageOpenTo: (userId, slice) =>
    statements.query((draft) => {
      const member = select(draft, membershipShape, { app_user_id: userId })
      const segments = new Set(member.map(({ segment_id }) => segment_id))
      const open = select(draft, storeShape, { is_active: true }).filter(
        ({ segment_id }) => segment_id === null || segments.has(segment_id),
      )
      return pageOf(sorted(storeShape, open, [["created_at", "asc"]]), slice)
    }),
})

const listed = (draft: Draft, store_id: string) =>
  sorted(listingShape, select(draft, listingShape, { store_id }), [
    ["sort_order", "asc"],
    ["created_at", "asc"],
  ]).flatMap((listing) =>
    select(draft, catalogItemShape, { id: listing.catalog_item_id }).map((item) => ({ listing, item })),
  )

/** Items on sale. */
export const memoryListings = (statements: Statements): Listings => ({
  ...memoryTable(statements, listingShape),
  removePrices: (code) =>
    statements.change((draft) => {
      const priced = sorted(listingShape, [...rowsOf(draft, listingShape).values()], []).filter(
        ({ override_prices }) => override_prices !== null && Object.hasOwn(override_prices, code),
      )
      for (const row of lockRows(draft, listingShape, priced))
        replaceRow(draft, listingShape, row, {
          ...row,
          override_prices: Struct.omit(row.override_prices ?? {}, [code]),
        })
    }),
  pageOfStore: (storeId, slice) => statements.query((draft) => pageOf(listed(draft, storeId), slice)),
  pageOnSale: (storeId, now, slice) =>
    statements.query((draft) => {
      const onSale = listed(draft, storeId).filter(
        ({ listing: { available_from, available_until }, item }) =>
          item.is_active &&
          (available_from === null || available_from <= now) &&
          (available_until === null || available_until > now),
      )
      return pageOf(onSale, slice)
    }),
})

const addOne = (
  draft: Draft,
  { id, app_user_id, catalog_item_id, quantity }: Parameters<Inventory["add"]>[0][number],
  at: Date,
) => {
  const wanted = { id, app_user_id, catalog_item_id, quantity, acquired_at: at, updated_at: at }
  const owner = ownerOfKey(draft, inventoryShape, ["app_user_id", "catalog_item_id"], wanted)
  const present = owner === undefined ? undefined : rowsOf(draft, inventoryShape).get(owner)
  if (present === undefined) {
    insertRow(draft, inventoryShape, wanted)
    return { app_user_id, catalog_item_id, quantity }
  }
  lockRows(draft, inventoryShape, [present])
  const added = Math.min(quantity, mostOwned - present.quantity)
  if (added > 0) {
    const more = { ...present, quantity: present.quantity + added, updated_at: at }
    replaceRow(draft, inventoryShape, present, more)
  }
  return { app_user_id, catalog_item_id, quantity: added }
}

/** What users own. */
export const memoryInventory = (statements: Statements): Inventory => ({
  ...memoryTable(statements, inventoryShape),
  add: (items, at) =>
    statements.change((draft) => {
      const keys = items.map(({ app_user_id, catalog_item_id }) => `${app_user_id}/${catalog_item_id}`)
      if (new Set(keys).size < keys.length) throw new Error("An item is added twice.")
      return items.map((item) => addOne(draft, item, at))
    }),
  pageOfUser: (app_user_id, slice) =>
    statements.query((draft) => {
      const rows = sorted(inventoryShape, select(draft, inventoryShape, { app_user_id }), [["acquired_at", "desc"]])
      const { rows: some, total } = pageOf(rows, slice)
      const joined = some.map(({ catalog_item_id, quantity, acquired_at }): InventoryItem => {
        const item = rowsOf(draft, catalogItemShape).get(catalog_item_id)
        if (item === undefined) throw new Error("An item is owned that is not there.")
        const { key, name, icon_url, item_type } = item
        return { catalog_item_id, key, name, icon_url, item_type, quantity, acquired_at }
      })
      return { rows: joined, total }
    }),
})

/** What users have bought. */
export const memoryPurchases = (statements: Statements): Purchases => ({
  ...memoryTable(statements, purchaseShape),
  countByListing: (app_user_id, listingIds) =>
    statements.query((draft) => {
      const wanted = new Set(keepIds(listingIds))
      const bought = select(draft, purchaseShape, { app_user_id, reversed_at: null }).filter(({ listing_id }) =>
        wanted.has(listing_id),
      )
      const byListing = Map.groupBy(bought, ({ listing_id }) => listing_id)
      return new Map([...byListing].map(([id, purchases]) => [id, purchases.length]))
    }),
})
