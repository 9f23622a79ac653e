import type { Effect } from "effect"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { CatalogItem } from "./catalog-item.ts"
import type { InventoryItem, InventoryRow } from "./inventory-item.ts"
import type { Purchase } from "./purchase.ts"
import type { Listing, Store } from "./store.ts"

/** What can be owned. Unique: `key`. Its listings and what users own of it go with it. */
export interface CatalogItems extends Table<CatalogItem> {
  /** Those of the keys that there are, by id, locked against removal until the transaction ends. */
  lockKeys(keys: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<Pick<CatalogItem, "id" | "key">>>
  /** Removes the prices in the currency of this code. The items are locked in the order of their ids. */
  removePrices(code: string): Effect.Effect<void>
}

/** A listing with its item. */
export interface ListedItem {
  readonly listing: Listing
  readonly item: CatalogItem
}

/** Items on sale. Unique: (`store_id`, `catalog_item_id`). Gone with their store or item. */
export interface Listings extends Table<Listing> {
  /** A slice of a store's listings with their items, by `sort_order`, then the oldest first. */
  pageOfStore(storeId: string, slice: Slice): Effect.Effect<Page<ListedItem>>
  /** Removes the prices of their own in the currency of this code. They are locked in the order of their ids. */
  removePrices(code: string): Effect.Effect<void>
  /** Those of them that are on sale at `now`: within their times, and the item is active. */
  pageOnSale(storeId: string, now: Date, slice: Slice): Effect.Effect<Page<ListedItem>>
}

/** Places where items are sold. Their listings go with them. */
export interface Stores extends Table<Store> {
  /** A slice of the active stores that are open to everybody or to a segment of the user's, the oldest first [G6.4]. */
  pageOpenTo(userId: string, slice: Slice): Effect.Effect<Page<Store>>
}

/** So many of an item for a user. */
export interface OwnedItems {
  readonly app_user_id: string
  readonly catalog_item_id: string
  readonly quantity: number
}

/** What users own. Unique: (`app_user_id`, `catalog_item_id`). Removed with their user or item. Whoever writes it holds the purses. */
export interface Inventory extends Table<InventoryRow> {
  /**
   * Adds items, each user and item at most once in a call (else it is a defect), up to `mostOwned` of each. The ids are for those that
   * are owned from now on. Answers how many were added of each, in the order of the call. A user or an item that is not there is a
   * defect.
   */
  add(items: ReadonlyArray<OwnedItems & { readonly id: string }>, at: Date): Effect.Effect<ReadonlyArray<OwnedItems>>
  /** A slice of what a user owns, what was acquired last first. */
  pageOfUser(userId: string, slice: Slice): Effect.Effect<Page<InventoryItem>>
}

/** The purchases of users. Removed with their user. */
export interface Purchases extends Table<Purchase> {
  /** How often a user has bought each of the listings, without what was taken back. Those never bought are left out. */
  countByListing(userId: string, listingIds: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, number>>
}

/** What a project's database has for stores. */
export interface StoresDb {
  readonly catalogItems: CatalogItems
  readonly stores: Stores
  readonly listings: Listings
  readonly inventory: Inventory
  readonly purchases: Purchases
}
