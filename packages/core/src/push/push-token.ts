import { Schema, Struct } from "effect"
import { Timestamp, text, Uuid } from "../schema.ts"

/** The push providers: `push_a` is APNs, `push_b` FCM [C5]. */
export const PushProvider = Schema.Literals(["push_a", "push_b"])
export type PushProvider = typeof PushProvider.Type

/** What a device runs. */
export const PushPlatform = Schema.Literals(["ios", "android", "web"])
export type PushPlatform = typeof PushPlatform.Type

/** A device that receives pushes (spec: device token). Unique: `token`. It belongs to the user who registered it last [D]. */
export const PushToken = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  platform: PushPlatform,
  provider: PushProvider,
  token: text(1, 4096),
  is_active: Schema.Boolean,
  created_at: Timestamp,
  /** When it was registered last: what a provider says of an earlier time does not hold any more. */
  registered_at: Timestamp,
  /** When it became inactive; null while it is active. */
  deactivated_at: Schema.NullOr(Timestamp),
  /** Why: a reason code of the provider, or one of ours; null while it is active. */
  deactivated_reason: Schema.NullOr(Schema.String),
}).annotate({ identifier: "PushTokenRow" })
export type PushToken = typeof PushToken.Type

/** A device as its user sees it (spec: device token). */
export const OwnPushToken = Schema.Struct(
  Struct.pick(PushToken.fields, ["id", "app_user_id", "platform", "token", "is_active", "created_at"]),
).annotate({ identifier: "PushToken" })
export type OwnPushToken = typeof OwnPushToken.Type

/** What a device is registered with. The provider is that of the platform where it is left out: `push_a` for ios, else `push_b`. */
export const NewPushToken = Schema.Struct({
  token: PushToken.fields.token,
  platform: PushPlatform,
  provider: Schema.optionalKey(PushProvider),
}).annotate({ identifier: "NewPushToken" })
export type NewPushToken = typeof NewPushToken.Type
