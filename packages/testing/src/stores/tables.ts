import type { TenantDb } from "@hearth/core"
import type { CatalogItem, InventoryRow, Listing, Purchase, Store } from "@hearth/core/stores"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aCatalogItem, aListing, anInventoryRow, aPurchase, aStore } from "./builders.ts"

const written = <Row extends { readonly id: string }>(
  table: { readonly insert: (row: Row) => Effect.Effect<void, unknown> },
  row: Row,
) => Effect.as(Effect.orDie(table.insert(row)), row.id)

/** The table of what can be owned. */
export const catalogItems: TableCase<TenantDb, CatalogItem> = {
  name: "catalog items",
  table: (db) => db.catalogItems,
  row: (_, given) => Effect.sync(() => aCatalogItem(given)),
  samples: [
    {
      ...{ name: awkwardText, description: awkwardText, icon_url: awkwardText, item_type: awkwardText },
      ...{ metadata: awkwardJson, contents: awkwardJson, is_active: false, created_at: awkwardInstant },
      prices: { A: 0.0001, B: 900_000_000_000, C: 549_755_813_887.9999 },
    },
    { key: awkwardText, contents: null, prices: {}, metadata: {} },
  ],
  unique: [["key"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "item_type", ascending: textsInOrder },
}

/** The table of stores. Their segments need not exist. */
export const stores: TableCase<TenantDb, Store> = {
  name: "stores",
  table: (db) => db.stores,
  row: (_, given) => Effect.sync(() => aStore(given)),
  samples: [
    { name: awkwardText, description: awkwardText, segment_id: anId(), is_active: false, created_at: awkwardInstant },
    { description: null, segment_id: null },
  ],
  unique: [],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "description", ascending: textsInOrder },
}

/** The table of what stores sell. */
export const listings: TableCase<TenantDb, Listing> = {
  name: "listings",
  table: (db) => db.listings,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const store_id = given.store_id ?? (yield* written(db.stores, aStore()))
    const catalog_item_id = given.catalog_item_id ?? (yield* written(db.catalogItems, aCatalogItem()))
    return aListing({ ...given, store_id, catalog_item_id })
  }),
  samples: [
    {
      ...{ sort_order: -2_147_483_648, available_from: earlyInstant, available_until: lateInstant },
      ...{ max_purchases_per_user: 2_147_483_647, override_prices: { A: 0.0001 }, created_at: awkwardInstant },
    },
    { sort_order: 2_147_483_647, max_purchases_per_user: null, override_prices: null },
  ],
  unique: [["store_id", "catalog_item_id"]],
  refused: [{ max_purchases_per_user: 0 }],
  sorting: { column: "sort_order", ascending: [-10, -9, 0, 9, 10] },
  nullable: { column: "available_from", ascending: instantsInOrder },
}

/** The table of what users own. */
export const inventory: TableCase<TenantDb, InventoryRow> = {
  name: "inventory",
  table: (db) => db.inventory,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writeUser(db))
    const catalog_item_id = given.catalog_item_id ?? (yield* written(db.catalogItems, aCatalogItem()))
    return anInventoryRow({ ...given, app_user_id, catalog_item_id })
  }),
  samples: [
    { quantity: 2_147_483_647, acquired_at: earlyInstant, updated_at: lateInstant },
    { quantity: 1, acquired_at: awkwardInstant },
  ],
  unique: [["app_user_id", "catalog_item_id"]],
  refused: [{ quantity: 0 }],
  sorting: { column: "acquired_at", ascending: instantsInOrder },
}

/** The table of purchases. */
export const purchases: TableCase<TenantDb, Purchase> = {
  name: "purchases",
  table: (db) => db.purchases,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aPurchase({ ...given, app_user_id: given.app_user_id ?? (yield* writeUser(db)) })
  }),
  samples: [
    {
      ...{ key: awkwardText, currency_code: awkwardText, price: 549_755_813_887.9999, reward: awkwardJson },
      ...{ created_at: awkwardInstant, reversed_at: lateInstant },
    },
    { price: 900_000_000_000, reward: null, reversed_at: null },
  ],
  unique: [],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "reversed_at", ascending: instantsInOrder },
}
