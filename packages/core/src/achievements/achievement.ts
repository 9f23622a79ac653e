import { Schema, Struct } from "effect"
import { batchNote } from "../background/batch-notes.ts"
import { readByUseCase, readIssues } from "../own-issues.ts"
import { Count, JsonObject, Name, Prose, partial, Timestamp, text, Uuid, Whole, withDefaults } from "../schema.ts"
import { parseCriteria } from "./criteria.ts"

const key = { key: text(1, 255) }
const fields = {
  name: Name,
  description: Schema.NullOr(Prose),
  icon_url: Schema.NullOr(text(1, 2048)),
  xp_reward: Count.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000_000 })),
}
const switches = {
  /** Whether users see it only after they have unlocked it. */
  is_hidden: Schema.Boolean,
  sort_order: Whole.check(Schema.isBetween({ minimum: -2_147_483_648, maximum: 2_147_483_647 })),
  is_active: Schema.Boolean,
}

/** An achievement, which a user can unlock once (spec: achievement). Unique: `key`. */
export const Achievement = Schema.Struct({
  id: Uuid,
  ...key,
  ...fields,
  /** A rule tree in the grammar of segments, as it was sent [G1.1]. */
  criteria: JsonObject,
  ...switches,
  created_at: Timestamp,
}).annotate({ identifier: "Achievement" })
export type Achievement = typeof Achievement.Type

// `criteria` is any value here, because `parseCriteria` validates it with a code of its own.
const changeable = { ...fields, criteria: readByUseCase((value) => readIssues(parseCriteria(value))), ...switches }

/** The fields with which an achievement is created. */
export const NewAchievement = Schema.Struct(
  withDefaults(
    { ...key, ...changeable },
    { description: null, icon_url: null, xp_reward: 0, is_hidden: false, sort_order: 0, is_active: true },
  ),
)
export type NewAchievement = typeof NewAchievement.Type

/** The fields of an achievement that can be changed. Those left out stay. */
export const AchievementChanges = Schema.Struct(partial(changeable))
export type AchievementChanges = typeof AchievementChanges.Type

/** An achievement that a user has unlocked. Unique per user and achievement [E3]. */
export const UserAchievement = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  achievement_id: Uuid,
  unlocked_at: Timestamp,
}).annotate({ identifier: "UserAchievement" })
export type UserAchievement = typeof UserAchievement.Type

/** That an achievement was taken back from a user by hand: it is unlocked again only by hand [G1.2]. Unique like unlocks. */
export const AchievementRevocation = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  achievement_id: Uuid,
  revoked_at: Timestamp,
})
export type AchievementRevocation = typeof AchievementRevocation.Type

/** An unlock that was written, with what it is about. */
export interface Unlock extends UserAchievement, Pick<Achievement, "key" | "xp_reward"> {}

/** What the reaction to a batch has unlocked. */
export const unlocksNote = batchNote<Unlock>("achievements.unlocks")

/** How far a user is: `current` of `target` [G1.4]. */
export const Progress = Schema.Struct({ current: Schema.Finite, target: Schema.Finite }).annotate({
  identifier: "AchievementProgress",
})
export type Progress = typeof Progress.Type

const ofUser = {
  /** Null until it is unlocked. */
  unlocked_at: Schema.NullOr(Timestamp),
  progress: Progress,
}

/** An achievement as its user sees it [G1.5]. */
export const OwnAchievement = Schema.Struct({
  ...Struct.pick(Achievement.fields, ["id", "key", "name", "description", "icon_url", "xp_reward", "sort_order"]),
  ...ofUser,
}).annotate({ identifier: "OwnAchievement" })

/** An achievement with how far a user is, as developers see it [G1.6]. */
export const AchievementOfUser = Schema.Struct({ ...Achievement.fields, ...ofUser }).annotate({
  identifier: "AchievementOfUser",
})
export type AchievementOfUser = typeof AchievementOfUser.Type

/** How many users would unlock an achievement now, and up to 20 of them [G1.3]. */
export const WouldUnlock = Schema.Struct({ would_unlock: Count, sample: Schema.Array(Uuid) }).annotate({
  identifier: "WouldUnlock",
})
export type WouldUnlock = typeof WouldUnlock.Type
