import type { CatalogItem, InventoryRow, Listing, Purchase, Store } from "@hearth/core/stores"
import { anId, builtAt, type Given } from "../builders.ts"

/** An item without prices and contents. */
export const aCatalogItem = (given: Given<CatalogItem> = {}): CatalogItem => {
  const id = anId()
  return {
    ...{ id, key: `item-${id.slice(-6)}`, name: `Item ${id.slice(-6)}`, description: null, icon_url: null },
    ...{ item_type: null, metadata: {}, is_active: true, prices: {}, contents: null },
    created_at: new Date(builtAt),
    ...given,
  }
}

/** A store for everybody. */
export const aStore = (given: Given<Store> = {}): Store => ({
  ...{ id: anId(), name: "Store", description: null, segment_id: null, is_active: true },
  created_at: new Date(builtAt),
  ...given,
})

/** A listing without conditions. */
export const aListing = (given: Given<Listing, "store_id" | "catalog_item_id">): Listing => ({
  ...{ id: anId(), sort_order: 0, available_from: null, available_until: null, max_purchases_per_user: null },
  ...{ override_prices: null, created_at: new Date(builtAt) },
  ...given,
})

/** One of an item that a user owns. */
export const anInventoryRow = (given: Given<InventoryRow, "app_user_id" | "catalog_item_id">): InventoryRow => ({
  ...{ id: anId(), quantity: 1, acquired_at: new Date(builtAt), updated_at: new Date(builtAt) },
  ...given,
})

/** A purchase of an item that may be gone. */
export const aPurchase = (given: Given<Purchase, "app_user_id">): Purchase => ({
  ...{ id: anId(), store_id: anId(), listing_id: anId(), catalog_item_id: anId(), key: "item" },
  ...{ currency_code: "GOLD", price: 10, reward: null, created_at: new Date(builtAt), reversed_at: null },
  ...given,
})
