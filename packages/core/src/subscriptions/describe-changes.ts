import type { EntitlementKey } from "../entitlements/port.ts"
import type { ProviderChange } from "../entitlements/provider-grants.ts"
import type { JsonObject } from "../schema.ts"
import type { FoldedEntitlement } from "./describe-entitlements.ts"
import { readUserKey } from "./provider-event.ts"

const toDate = (millis: number | null) => (millis === null ? null : new Date(millis))

const formatKey = ({ app_user_id, entitlement_id }: EntitlementKey) => JSON.stringify([app_user_id, entitlement_id])

/**
 * What has to be written for entitlements of users that a fold gives. What the provider was `held` to give and is not among them
 * any more it never gave: an event that came late has shown that.
 */
export const describeChanges = (
  entitlements: ReadonlyArray<FoldedEntitlement>,
  held: ReadonlyArray<EntitlementKey>,
  raw: ReadonlyMap<string, JsonObject>,
): ReadonlyArray<ProviderChange> => {
  const given = entitlements.map((entitlement) => {
    const { owner, entitlement_id, is_active, product_id, store, period_type, entry_id } = entitlement
    const dates = {
      purchase_date: toDate(entitlement.purchased_at),
      expiration_date: toDate(entitlement.expiration_at),
    }
    const content = { is_active, product_id, store, period_type, ...dates, raw_data: raw.get(entry_id) ?? {} }
    return { app_user_id: readUserKey(owner) ?? "", entitlement_id, content }
  })
  const names = new Set(given.map(formatKey))
  const gone = held.filter((key) => !names.has(formatKey(key)))
  return [...given, ...gone.map(({ app_user_id, entitlement_id }) => ({ app_user_id, entitlement_id, content: null }))]
}
