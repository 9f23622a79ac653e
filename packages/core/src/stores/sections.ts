import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { InventoryRow } from "./inventory-item.ts"
import { Purchase } from "./purchase.ts"

/** What the user owns. */
export const inventorySection: TableSection = {
  name: "inventory",
  key: ["id"],
  columns: describeColumns(InventoryRow),
}

/** What the user has bought. */
export const purchasesSection: TableSection = {
  name: "purchases",
  key: ["created_at", "id"],
  columns: describeColumns(Purchase),
}
