import type { StoresDb } from "@hearth/core/stores"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { inventoryContract, storesContract } from "./contract.ts"
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
import { inventorySectionContract, purchasesSectionContract } from "./sections.contract.ts"
import { catalogItems, inventory, listings, purchases, stores } from "./tables.ts"

/** Stores in tests: tables and repositories in memory, contract suites. */
export const storesFeature: TenantFeature<StoresDb> = {
  tenant: {
    shapes: [catalogItemShape, storeShape, listingShape, inventoryShape, purchaseShape],
    sections: { inventory: inventoryShape, purchases: purchaseShape },
    make: ({ statements }) => ({
      catalogItems: memoryCatalogItems(statements),
      stores: memoryStores(statements),
      listings: memoryListings(statements),
      inventory: memoryInventory(statements),
      purchases: memoryPurchases(statements),
    }),
    contracts: [
      (open) => tableContract(open, catalogItems),
      (open) => tableContract(open, stores),
      (open) => tableContract(open, listings),
      (open) => tableContract(open, inventory),
      (open) => tableContract(open, purchases),
      storesContract,
      inventoryContract,
      inventorySectionContract,
      purchasesSectionContract,
    ],
  },
}
