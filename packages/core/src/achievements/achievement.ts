import { Schema } from "effect"
import { Count, JsonObject, Name, Prose, Timestamp, text, Uuid, Whole } from "../schema.ts"

/** An achievement, which a user can unlock once (spec: achievement). Unique: `key`. */
export const Achievement = Schema.Struct({
  id: Uuid,
  key: text(1, 255),
  name: Name,
  description: Schema.NullOr(Prose),
  icon_url: Schema.NullOr(text(1, 2048)),
  xp_reward: Count.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })),
  /** A rule tree over counts of events and their properties [E3]. */
  criteria: JsonObject,
  /** Whether users see it only after they have unlocked it. */
  is_hidden: Schema.Boolean,
  sort_order: Whole,
  is_active: Schema.Boolean,
  created_at: Timestamp,
}).annotate({ identifier: "Achievement" })
export type Achievement = typeof Achievement.Type

/** An achievement that a user has unlocked. Unique per user and achievement [E3]. */
export const UserAchievement = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  achievement_id: Uuid,
  unlocked_at: Timestamp,
}).annotate({ identifier: "UserAchievement" })
export type UserAchievement = typeof UserAchievement.Type
