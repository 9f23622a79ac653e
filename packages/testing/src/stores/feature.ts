import type { StoresDb } from "@hearth/core/stores"
import type { TenantFeature } from "../feature.ts"
import { instant, keepList, slice, text, uuid } from "../memory/arguments.ts"
import {
  catalogItemShape,
  inventoryShape,
  listingShape,
  memoryCatalogItems,
  memoryInventory,
  memoryListings,
  memoryPurchases,
  memoryStores,
  purchaseShape,
  storeShape,
} from "./memory.ts"

/** Stores in tests: tables and repositories in memory. */
export const storesFeature: TenantFeature<StoresDb> = {
  tenant: {
    shapes: [catalogItemShape, storeShape, listingShape, inventoryShape, purchaseShape],
    sections: { inventory: inventoryShape, purchases: purchaseShape },
    rules: {
      catalogItems: { lockKeys: [keepList(text)], removePrices: [text] },
      listings: { pageOfStore: [uuid, slice], pageOnSale: [uuid, instant, slice], removePrices: [text] },
      stores: { pageOpenTo: [uuid, slice] },
      inventory: { pageOfUser: [uuid, slice] },
      purchases: { countByListing: [uuid, keepList(uuid)] },
    },
    make: ({ statements }) => ({
      catalogItems: memoryCatalogItems(statements),
      stores: memoryStores(statements),
      listings: memoryListings(statements),
      inventory: memoryInventory(statements),
      purchases: memoryPurchases(statements),
    }),
  },
}
