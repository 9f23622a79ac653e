import { Schema, Struct } from "effect"
import { Count, Day, JsonObject, Name, Timestamp, text, Uuid } from "../schema.ts"
import { WebUrl } from "../web-address.ts"

const utf8 = new TextEncoder()

const size = Count.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 }))

/** How a push is shown and kept, all optional [H4.3]. */
export const PushOptions = Schema.Struct({
  sound: Schema.optionalKey(text(1, 255)),
  badge: Schema.optionalKey(size),
  image_url: Schema.optionalKey(WebUrl),
  /** At most 64 bytes. */
  collapse_id: Schema.optionalKey(
    text(1, 64).check(
      Schema.makeFilter((value: string) => utf8.encode(value).length <= 64 || "must have at most 64 bytes"),
    ),
  ),
  /** How long the provider keeps it for a device that is off. */
  ttl_seconds: Schema.optionalKey(size),
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

/** A campaign as developers see it (spec: campaign). */
export const CampaignView = Schema.Struct({
  ...Struct.omit(PushCampaign.fields, ["started_at", "scheduled_for"]),
  options: PushOptions,
}).annotate({ identifier: "PushCampaign" })

/** A campaign with what became of it. */
export const CampaignWithStats = Schema.Struct({ ...CampaignView.fields, stats: PushStats }).annotate({
  identifier: "PushCampaignWithStats",
})

const given = {
  ...Struct.pick(PushCampaign.fields, ["title", "body", "data", "segment_id", "delivery_mode"]),
  ...Struct.pick(PushCampaign.fields, ["local_date", "local_time", "scheduled_at"]),
  options: PushOptions,
}

/** The body of a new campaign, for the API reference. `parseCampaign` validates it, with a code for each mistake. */
export const NewCampaign = Schema.Struct({
  ...Struct.map(given, Schema.optionalKey),
  ...Struct.pick(given, ["title", "body"]),
  name: Schema.optionalKey(Name),
}).annotate({ identifier: "NewPushCampaign" })

/** The changes of a campaign, for the API reference. `parseCampaignChanges` validates them. */
export const CampaignChanges = Schema.Struct(
  Struct.map(
    { ...Struct.pick(given, ["title", "body", "data", "options", "segment_id"]), name: Name, scheduled_at: Timestamp },
    Schema.optionalKey,
  ),
).annotate({ identifier: "PushCampaignChanges" })

/** The answer of a send. */
export const CampaignSending = Schema.Struct({ status: Schema.Literal("sending"), campaign_id: Uuid }).annotate({
  identifier: "PushCampaignSending",
})

/** Whom a campaign would reach, and when [H4.5]. */
export const CampaignPreview = Schema.Struct({
  /** Users with an active device, without those skipped. */
  recipients: Count,
  /** Their active devices. */
  devices: Count,
  by_platform: Schema.Struct({ ios: Count, android: Count, web: Count }),
  groups: Schema.Array(
    Schema.Struct({
      /** Null for a campaign that reaches everybody at the same instant. */
      timezone: Schema.NullOr(Schema.String),
      fire_at: Timestamp,
      recipients: Count,
      /** Users whose time is over by more than two hours when the campaign begins. */
      skipped: Count,
    }),
  ),
  sample: Schema.Array(Schema.Struct({ app_user_id: Uuid, title: Schema.String, body: Schema.String })),
}).annotate({ identifier: "PushCampaignPreview" })
export type CampaignPreview = typeof CampaignPreview.Type
