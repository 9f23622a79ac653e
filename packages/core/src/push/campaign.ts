import { Schema } from "effect"
import { Count, Day, JsonObject, Name, Timestamp, text, Uuid } from "../schema.ts"

/** How a push is shown and kept, all optional [H4.3]. */
export const PushOptions = Schema.Struct({
  sound: Schema.optionalKey(text(1, 255)),
  badge: Schema.optionalKey(Count),
  image_url: Schema.optionalKey(text(1, 2048)),
  /** At most 64 bytes. */
  collapse_id: Schema.optionalKey(text(1, 64)),
  /** How long the provider keeps it for a device that is off. */
  ttl_seconds: Schema.optionalKey(Count),
}).annotate({ identifier: "PushOptions" })
export type PushOptions = typeof PushOptions.Type

/** The states of a campaign (spec: push campaign status). */
export const CampaignStatus = Schema.Literals(["draft", "scheduled", "sending", "sent", "cancelled", "failed"])
export type CampaignStatus = typeof CampaignStatus.Type

/** A push to many users (spec: push campaign). Its counts are kept apart, in `PushStats`. */
export const PushCampaign = Schema.Struct({
  id: Uuid,
  name: Name,
  title: text(1, 200),
  body: text(1, 2000),
  data: JsonObject,
  options: JsonObject,
  /** Null is all users. It stays when the segment is removed; such a campaign fails when it starts. */
  segment_id: Schema.NullOr(Uuid),
  delivery_mode: Schema.Literals(["absolute", "local_time"]),
  local_date: Schema.NullOr(Day),
  /** HH:MM:SS. */
  local_time: Schema.NullOr(Schema.String),
  status: CampaignStatus,
  scheduled_at: Schema.NullOr(Timestamp),
  /** When its recipients were fixed [H4.6]; null before. */
  started_at: Schema.NullOr(Timestamp),
  sent_at: Schema.NullOr(Timestamp),
  /** Why it failed, a sentence; null otherwise. */
  error: Schema.NullOr(Schema.String),
  /** The user of a push-schedule, whose segment is of this campaign only; null otherwise, and when that segment is gone. */
  scheduled_for: Schema.NullOr(Uuid),
  created_at: Timestamp,
  updated_at: Timestamp,
}).annotate({ identifier: "PushCampaignRow" })
export type PushCampaign = typeof PushCampaign.Type

/** What became of a campaign so far [H4.4]: `recipients` and `skipped` count users, the others deliveries. */
export const PushStats = Schema.Struct({
  sent: Count,
  delivered: Count,
  opened: Count,
  failed: Count,
  recipients: Count,
  skipped: Count,
  unknown: Count,
}).annotate({ identifier: "PushStats" })
export type PushStats = typeof PushStats.Type
