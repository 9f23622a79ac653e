import type { FoldedEvent } from "@hearth/core/subscriptions"
import { builtAt, makeId, nextNumber } from "../builders.ts"

const at = new Date(builtAt).getTime()

/** A purchase of a month of `pro`, by somebody of whom nothing else is known. */
export const aFoldedEvent = (given: Partial<FoldedEvent> = {}): FoldedEvent => {
  const n = nextNumber()
  return {
    ...{ entry_id: makeId(n), id: `event-${n}`, type: "INITIAL_PURCHASE", at, owner: `provider/${n}`, sources: [] },
    ...{ subscription: `t-${n}`, transaction_id: `t-${n}`, product_id: "monthly", entitlement_ids: ["pro"] },
    ...{ store: "app_store", period_type: "normal", purchased_at: at, expiration_at: at + 30 * 86_400_000 },
    ...{ grace_until: null, price: 9.99, currency: "USD", is_refund: false },
    ...given,
  }
}
