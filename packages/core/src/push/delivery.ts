import { Schema } from "effect"
import { Count, Timestamp, Uuid } from "../schema.ts"
import { PushProvider } from "./push-token.ts"

/** The states of a delivery [H4.4]. */
export const DeliveryStatus = Schema.Literals(["pending", "claimed", "sent", "failed", "skipped", "unknown"])
export type DeliveryStatus = typeof DeliveryStatus.Type

/**
 * A push of a campaign to one device. Unique: (`campaign_id`, `push_token_id`). Removed with its campaign and its user. When a
 * device is forgotten, `push_token_id` becomes null.
 */
export const PushDelivery = Schema.Struct({
  id: Uuid,
  campaign_id: Uuid,
  app_user_id: Uuid,
  push_token_id: Schema.NullOr(Uuid),
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
