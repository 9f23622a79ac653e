import type { Entitlement } from "@hearth/core/entitlements"
import { builtAt, type Given, makeId, nextNumber } from "../builders.ts"

/** An active entitlement of a user, without an end. */
export const anEntitlement = (given: Given<Entitlement, "app_user_id">): Entitlement => {
  const n = nextNumber()
  return {
    id: makeId(n),
    entitlement_id: `entitlement-${n}`,
    is_active: true,
    store: null,
    product_id: null,
    purchase_date: null,
    expiration_date: null,
    period_type: null,
    raw_data: {},
    updated_at: new Date(builtAt),
    ...given,
  }
}
