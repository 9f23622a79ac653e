import { Schema, Struct } from "effect"
import { Count, Timestamp, Uuid } from "../../schema.ts"
import { PushProvider } from "../push-token.ts"

/** The states of a delivery [H4.4]. */
export const DeliveryStatus = Schema.Literals(["pending", "claimed", "sent", "failed", "skipped", "unknown"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/**
 * A push of a campaign to one device. Unique: (`campaign_id`, `push_token_id`). Removed with its campaign and its user. The id
 * of the device stays when that is forgotten.
 */
export const PushDelivery = Schema.Struct({
  id: Uuid,
  campaign_id: Uuid,
  app_user_id: Uuid,
  push_token_id: Uuid,
  provider: PushProvider,
  status: DeliveryStatus,
  /** Why it was not sent: a reason code, never what the provider wrote. */
  error: Schema.NullOr(Schema.String),
  /** When it is due: the campaign's start, or its local time in the zone of the user. Fixed when the first group starts. */
  fire_at: Timestamp,
  /** Not before: `fire_at`, later for one that the provider wants to be tried again. */
  try_at: Timestamp,
  /** How often the provider was asked. */
  tries: Count,
  claimed_at: Schema.NullOr(Timestamp),
  sent_at: Schema.NullOr(Timestamp),
  delivered_at: Schema.NullOr(Timestamp),
  opened_at: Schema.NullOr(Timestamp),
}).annotate({ identifier: "PushDeliveryRow" })
export type PushDelivery = typeof PushDelivery.Type

/** A delivery as developers see it [H4.4]. */
export const DeliveryView = Schema.Struct(
  Struct.pick(PushDelivery.fields, [
    ...(["id", "app_user_id", "push_token_id", "provider", "status", "error"] as const),
    ...(["sent_at", "delivered_at", "opened_at"] as const),
  ]),
).annotate({ identifier: "PushDelivery" })
export type DeliveryView = typeof DeliveryView.Type

/** What an app reports of a push that it was sent [D]. */
export const PushReceipt = Schema.Struct({
  delivery_id: Uuid,
  type: Schema.Literals(["delivered", "opened"]),
}).annotate({ identifier: "PushReceipt" })
export type PushReceipt = typeof PushReceipt.Type

/** What is known of a delivery after a receipt. */
export const ReceiptAnswer = Schema.Struct({
  delivery_id: Uuid,
  ...Struct.pick(PushDelivery.fields, ["delivered_at", "opened_at"]),
}).annotate({ identifier: "PushReceiptAnswer" })
export type ReceiptAnswer = typeof ReceiptAnswer.Type
