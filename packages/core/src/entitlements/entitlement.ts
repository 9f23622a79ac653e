import { Schema, Struct } from "effect"
import { JsonObject, Timestamp, Uuid } from "../schema.ts"

/** An entitlement of a user (spec: `user_entitlements`). Unique per user and `entitlement_id`. */
export const Entitlement = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  entitlement_id: Schema.String,
  is_active: Schema.Boolean,
  store: Schema.NullOr(Schema.String),
  product_id: Schema.NullOr(Schema.String),
  purchase_date: Schema.NullOr(Timestamp),
  expiration_date: Schema.NullOr(Timestamp),
  period_type: Schema.NullOr(Schema.String),
  raw_data: JsonObject,
  updated_at: Timestamp,
}).annotate({ identifier: "Entitlement" })
export type Entitlement = typeof Entitlement.Type

/** The part of an entitlement that answers about a user contain. */
export const EntitlementSummary = Schema.Struct(
  Struct.pick(Entitlement.fields, ["id", "entitlement_id", "is_active", "expiration_date"]),
).annotate({ identifier: "EntitlementSummary" })
export type EntitlementSummary = typeof EntitlementSummary.Type
