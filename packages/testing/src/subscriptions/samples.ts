import type { JsonObject } from "@hearth/core"

const began = Date.UTC(2026, 0, 5, 8, 30)
const day = 86_400_000

/** The fields that all events about a purchase have. */
const purchase: JsonObject = {
  ...{ event_timestamp_ms: began, product_id: "app.reader.monthly", period_type: "NORMAL" },
  ...{ purchased_at_ms: began - 60_000, expiration_at_ms: began + 30 * day, environment: "PRODUCTION" },
  ...{ entitlement_id: null, entitlement_ids: ["reader"], presented_offering_id: "winter" },
  ...{ transaction_id: "70001", original_transaction_id: "70001", app_user_id: "reader-1" },
  ...{ aliases: ["$RCAnonymousID:5f3c0a11d2b94e7c8a6b1d0e9f28c347"] },
  ...{ original_app_user_id: "$RCAnonymousID:5f3c0a11d2b94e7c8a6b1d0e9f28c347", currency: "SEK" },
  ...{ price: 0, price_in_purchased_currency: 0, store: "APP_STORE", takehome_percentage: 0.85 },
  ...{ tax_percentage: 0.2, commission_percentage: 0.15, offer_code: null },
  subscriber_attributes: { $email: { value: "reader@example.com", updated_at_ms: began } },
  experiments: [{ experiment_id: "wall", experiment_variant: "a", enrolled_at_ms: began }],
}
const inApp: JsonObject = { app_id: "app-1", is_family_share: false, country_code: "SE" }
const bought: JsonObject = { price: 10.5, price_in_purchased_currency: 109 }
const over: JsonObject = { event_timestamp_ms: began + 31 * day }

const without = (fields: JsonObject, ...names: ReadonlyArray<string>): JsonObject =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const named: JsonObject = {
  ...{ app_user_id: "reader-1", aliases: ["reader-1"], original_app_user_id: "reader-1" },
  event_timestamp_ms: began,
}

const samples: Readonly<Record<string, JsonObject>> = {
  "initial-purchase": { ...purchase, ...inApp, ...bought, type: "INITIAL_PURCHASE" },
  "initial-purchase-2": { ...purchase, ...inApp, type: "INITIAL_PURCHASE", period_type: "TRIAL", store: "PLAY_STORE" },
  renewal: { ...purchase, ...inApp, ...bought, type: "RENEWAL", is_trial_conversion: false },
  "non-renewing-purchase": { ...purchase, ...inApp, ...bought, type: "NON_RENEWING_PURCHASE", expiration_at_ms: null },
  "product-change": { ...purchase, type: "PRODUCT_CHANGE", new_product_id: "app.reader.yearly" },
  "cancellation-unsubscribe": { ...purchase, ...inApp, type: "CANCELLATION", cancel_reason: "UNSUBSCRIBE" },
  "cancellation-unsubscribe-2": { ...purchase, type: "CANCELLATION", cancel_reason: "UNSUBSCRIBE", offer_code: "gift" },
  "cancellation-customer-support": {
    ...{ ...purchase, type: "CANCELLATION", cancel_reason: "CUSTOMER_SUPPORT" },
    ...{ price: -10.5, price_in_purchased_currency: -109 },
  },
  "billing-issue": { ...purchase, ...over, type: "BILLING_ISSUE", entitlement_id: "reader" },
  uncancellation: { ...purchase, ...inApp, type: "UNCANCELLATION", subscriber_attributes: {} },
  "subscription-paused": {
    ...{ ...purchase, ...inApp, type: "SUBSCRIPTION_PAUSED", auto_resume_at_ms: began + 60 * day },
  },
  "subscription-extended": { ...purchase, ...inApp, type: "SUBSCRIPTION_EXTENDED", expiration_at_ms: began + 37 * day },
  "expiration-unsubscribe": { ...purchase, ...inApp, ...over, type: "EXPIRATION", expiration_reason: "UNSUBSCRIBE" },
  "refund-reversed": {
    ...{ ...purchase, ...inApp, ...bought, type: "REFUND_REVERSED", metadata: null, renewal_number: 2 },
  },
  "temporary-entitlement-grant": {
    ...{ event_timestamp_ms: began, app_user_id: "reader-1", store: "APP_STORE", app_id: "app-1" },
    type: "TEMPORARY_ENTITLEMENT_GRANT",
  },
  transfer: {
    ...{ type: "TRANSFER", app_id: "app-1", event_timestamp_ms: 78_000_000_000_000, store: "APP_STORE" },
    ...{ environment: "PRODUCTION", transferred_from: ["reader-0"], transferred_to: ["reader-1"] },
  },
  "invoice-issuance": {
    ...without(purchase, "price", "experiments"),
    ...{ ...inApp, type: "INVOICE_ISSUANCE", period_type: null, expiration_at_ms: null, entitlement_ids: null },
    ...{
      transaction_id: null,
      original_transaction_id: null,
      store: "RC_BILLING",
      metadata: null,
      renewal_number: null,
    },
    ...{ takehome_percentage: null, tax_percentage: null, commission_percentage: null },
  },
  "experiment-enrollment": {
    ...{ ...named, type: "EXPERIMENT_ENROLLMENT", experiment_id: "wall", experiment_variant: "b" },
    ...{ offering_id: "winter-b", experiment_enrolled_at_ms: began },
  },
  "virtual-currency-transaction": {
    ...{
      ...without(named, "original_app_user_id"),
      ...without(inApp, "is_family_share"),
      type: "VIRTUAL_CURRENCY_TRANSACTION",
      store: "APP_STORE",
    },
    ...{ product_id: "app.coins.50", product_display_name: "50 coins", purchase_environment: "PRODUCTION" },
    ...{ source: "in_app_purchase", transaction_id: "70002", virtual_currency_transaction_id: "vct-1" },
    adjustments: [{ amount: 50, currency: { code: "CNS", name: "Coins", description: "Coins of readers" } }],
    subscriber_attributes: {},
    experiments: [],
  },
}

/**
 * Events with the fields that those of RevenueCat have, by name: each about `reader-1`, who buys `reader` on 5 January 2026 until 4
 * February. Ids are of their own.
 */
export const subscriptionSamples: ReadonlyMap<string, JsonObject> = new Map(
  Object.entries(samples).map(([name, event]) => [name, { id: `sample-${name}`, ...event }]),
)
