import { defineEntity, p } from "@mikro-orm/core"
import { schemaStep } from "../schema/migration.ts"
import { User } from "../users/entities.ts"

export const Achievement = defineEntity({
  name: "Achievement",
  tableName: "achievements",
  properties: {
    id: p.uuid().primary(),
    key: p.text().unique(),
    name: p.text(),
    description: p.text().nullable(),
    icon_url: p.text().nullable(),
    xp_reward: p.integer().check("xp_reward >= 0"),
    criteria: p.json(),
    is_hidden: p.boolean(),
    sort_order: p.integer(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
  },
})

export const UserAchievement = defineEntity({
  name: "UserAchievement",
  tableName: "user_achievements",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade"),
    achievement_id: () => p.manyToOne(Achievement).mapToPk().deleteRule("cascade").index(),
    unlocked_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "achievement_id"] }],
})

/** That an achievement was taken back from a user by hand. */
export const AchievementRevocation = defineEntity({
  name: "AchievementRevocation",
  tableName: "achievement_revocations",
  properties: {
    id: p.uuid().primary(),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade"),
    achievement_id: () => p.manyToOne(Achievement).mapToPk().deleteRule("cascade").index(),
    revoked_at: p.datetime(3),
  },
  uniques: [{ properties: ["app_user_id", "achievement_id"] }],
})

/** What was taken back from users. */
export const achievementRevocations = schemaStep("0017-achievement-revocations", [
  `create table achievement_revocations (
    id uuid primary key,
    app_user_id uuid not null
      constraint achievement_revocations_app_user_id_foreign references app_users on delete cascade,
    achievement_id uuid not null
      constraint achievement_revocations_achievement_id_foreign references achievements on delete cascade,
    revoked_at timestamptz(3) not null,
    constraint achievement_revocations_app_user_id_achievement_id_unique unique (app_user_id, achievement_id)
  )`,
  "create index achievement_revocations_achievement_id_index on achievement_revocations (achievement_id)",
])
