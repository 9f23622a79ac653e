import { Schema, Struct } from "effect"
import { Count, Timestamp, Uuid } from "../schema.ts"
import { CatalogItem } from "./catalog-item.ts"

/** The most of one item that a user can own. */
export const mostOwned = 2_147_483_647

/** What a user owns of an item. Unique: (`app_user_id`, `catalog_item_id`). There is no row for what is used up. */
export const InventoryRow = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  catalog_item_id: Uuid,
  quantity: Count,
  /** When the user came to own the first of those that are left. */
  acquired_at: Timestamp,
  updated_at: Timestamp,
})
export type InventoryRow = typeof InventoryRow.Type

/** What a user owns of an item, with the item [G6.6]. */
export const InventoryItem = Schema.Struct({
  ...Struct.pick(InventoryRow.fields, ["catalog_item_id"]),
  ...Struct.pick(CatalogItem.fields, ["key", "name", "icon_url", "item_type"]),
  ...Struct.pick(InventoryRow.fields, ["quantity", "acquired_at"]),
}).annotate({ identifier: "InventoryItem" })
export type InventoryItem = typeof InventoryItem.Type
