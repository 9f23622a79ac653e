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

/**
 * How long after its end an entitlement is still shown as active. RevenueCat may tell of an end about an hour late where the store
 * does not notify it (facts 2a), and a renewal is told no later than the end would be.
 */
export const toleranceMillis = 60 * 60_000

/** An entitlement as it is at `now`: one that has ended is inactive, also where its row, which nobody writes then, says otherwise. */
export const showEntitlement = <Shown extends Pick<Entitlement, "is_active" | "expiration_date">>(
  entitlement: Shown,
  now: Date,
): Shown => {
  const { is_active, expiration_date } = entitlement
  const isOver = is_active && expiration_date !== null && expiration_date.getTime() + toleranceMillis <= now.getTime()
  return isOver ? { ...entitlement, is_active: false } : entitlement
}

/** Summaries as they are at `now`. */
export const endPast = (summaries: ReadonlyArray<EntitlementSummary>, now: Date): ReadonlyArray<EntitlementSummary> =>
  summaries.map((summary) => showEntitlement(summary, now))
