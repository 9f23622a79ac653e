import type { TenantDb } from "@hearth/core"
import { inventorySection, purchasesSection } from "@hearth/core/stores"
import { Effect } from "effect"
import { awkwardJson, awkwardText, lateInstant } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aCatalogItem, anInventoryRow, aPurchase } from "./builders.ts"

const writeOwned = Effect.fnUntraced(function* (db: TenantDb) {
  const app_user_id = yield* writeUser(db)
  const items = [aCatalogItem(), aCatalogItem()]
  yield* Effect.forEach(items, db.catalogItems.insert)
  const rows = items.map(({ id }) => anInventoryRow({ app_user_id, catalog_item_id: id, acquired_at: lateInstant }))
  yield* Effect.forEach(rows, db.inventory.insert)
  return { userId: app_user_id, rows }
})

const writeBought = Effect.fnUntraced(function* (db: TenantDb) {
  const app_user_id = yield* writeUser(db)
  const rows = [
    aPurchase({ app_user_id, key: awkwardText, reward: awkwardJson, price: 549_755_813_887.9999 }),
    aPurchase({ app_user_id, reversed_at: lateInstant }),
  ]
  yield* Effect.forEach(rows, db.purchases.insert)
  return { userId: app_user_id, rows }
})

/** What a project promises about what a user owns in the file about them. */
export const inventorySectionContract = sectionContract(inventorySection, writeOwned)

/** What a project promises about what a user has bought in the file about them. */
export const purchasesSectionContract = sectionContract(purchasesSection, writeBought)
