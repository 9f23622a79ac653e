import { Effect, Option } from "effect"
import { InsufficientQuantity } from "./failures.ts"
import type { StoresDb } from "./port.ts"
import { takeItems } from "./take-items.ts"

/**
 * Takes the item of a purchase back from its user, and notes it at the purchase, which counts for the limit no more [G4.7]. Fails
 * where the user has used the item up. What its contents gave stays. The caller holds the purse.
 */
export const takePurchaseBack = Effect.fnUntraced(function* (
  db: Pick<StoresDb, "inventory" | "purchases">,
  { app_user_id, reference_id }: { readonly app_user_id: string; readonly reference_id: string | null },
  now: Date,
) {
  const found = reference_id === null ? Option.none() : yield* db.purchases.find({ id: reference_id, app_user_id })
  if (Option.isNone(found)) return
  const { id, catalog_item_id } = found.value
  const owned = yield* db.inventory.find({ app_user_id, catalog_item_id })
  if (Option.isNone(owned)) return yield* new InsufficientQuantity()
  yield* takeItems(db, owned.value, 1, now)
  yield* Effect.orDie(db.purchases.update(id, { reversed_at: now }))
})

/** Removes the prices in a currency that is removed, so that a new one of its code starts anew [G4.9]. */
export const removePrices = (db: Pick<StoresDb, "catalogItems" | "listings">, { code }: { readonly code: string }) =>
  Effect.andThen(db.catalogItems.removePrices(code), db.listings.removePrices(code))
