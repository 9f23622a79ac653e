import type { Purchase as PurchaseRow, StoresDb } from "@hearth/core/stores"
import { Effect } from "effect"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { CatalogItem, InventoryRow, Listing, Purchase, Store, stores } from "./entities.ts"
import { makeInventory } from "./inventory.ts"
import { makeCatalogItems, makeListings, makeStores } from "./stores.ts"

/** Stores in PostgreSQL: the catalog, listings, purchases and what users own. */
export const storesFeature: TenantFeature<StoresDb> = {
  tenant: {
    entities: [CatalogItem, Store, Listing, InventoryRow, Purchase],
    steps: [stores],
    repositories: {
      catalogItems: (statements, shapes) => makeCatalogItems(statements, shapes(CatalogItem)),
      stores: (statements, shapes) => makeStores(statements, shapes(Store)),
      listings: (statements, shapes) => makeListings(statements, shapes(Listing), shapes(CatalogItem)),
      inventory: (statements, shapes) => makeInventory(statements, shapes(InventoryRow)),
      purchases: (statements, shapes) => ({
        ...makeTable<PurchaseRow>(statements, shapes(Purchase)),
        countByListing: (userId, listingIds) =>
          Effect.map(
            statements.rows<{ readonly listing_id: string; readonly count: number }>(
              `select listing_id, count(*)::int from purchases
               where app_user_id = $1 and listing_id = any($2::uuid[]) and reversed_at is null group by listing_id`,
              [userId, listingIds],
            ),
            (rows) => new Map(rows.map(({ listing_id, count }) => [listing_id, count])),
          ),
      }),
    },
  },
}
