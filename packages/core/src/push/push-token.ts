import { Schema } from "effect"
import { Timestamp, text, Uuid } from "../schema.ts"

/** The push providers: `push_a` is APNs, `push_b` FCM [C5]. */
export const PushProvider = Schema.Literals(["push_a", "push_b"])
export type PushProvider = typeof PushProvider.Type

/** A device that receives pushes (spec: device token). Unique: `token`. It belongs to the user who registered it last [D]. */
export const PushToken = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  platform: Schema.Literals(["ios", "android", "web"]),
  provider: PushProvider,
  token: text(1, 4096),
  is_active: Schema.Boolean,
  created_at: Timestamp,
}).annotate({ identifier: "PushToken" })
export type PushToken = typeof PushToken.Type
