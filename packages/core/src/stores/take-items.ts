import { Effect } from "effect"
import { InsufficientQuantity } from "./failures.ts"
import type { InventoryRow } from "./inventory-item.ts"
import type { StoresDb } from "./port.ts"

/** Takes items from a user whose purse the caller holds. Answers how many are left; what is used up has no row any more. */
export const takeItems = Effect.fnUntraced(function* (
  db: Pick<StoresDb, "inventory">,
  { id, quantity: present }: Pick<InventoryRow, "id" | "quantity">,
  quantity: number,
  now: Date,
) {
  const left = present - quantity
  if (left < 0) return yield* new InsufficientQuantity()
  if (left === 0) yield* db.inventory.remove({ id })
  else yield* Effect.orDie(db.inventory.update(id, { quantity: left, updated_at: now }))
  return left
})
