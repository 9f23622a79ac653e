import type { TenantDb } from "@hearth/core"
import type { Achievement, AchievementRevocation, UserAchievement } from "@hearth/core/achievements"
import { Effect } from "effect"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { anAchievement, aRevocation, aUserAchievement } from "./builders.ts"

const writeAchievement = (db: TenantDb) => {
  const achievement = anAchievement()
  return Effect.as(Effect.orDie(db.achievements.insert(achievement)), achievement.id)
}

/** The table of what users can unlock. */
export const achievements: TableCase<TenantDb, Achievement> = {
  name: "achievements",
  table: (db) => db.achievements,
  row: (_, given) => Effect.sync(() => anAchievement(given)),
  samples: [
    {
      name: awkwardText,
      description: awkwardText,
      icon_url: awkwardText,
      xp_reward: 2_147_483_647,
      criteria: awkwardJson,
      is_hidden: true,
      sort_order: -2_147_483_648,
      is_active: false,
      created_at: awkwardInstant,
    },
    { key: awkwardText, description: null, icon_url: null, xp_reward: 0, sort_order: 2_147_483_647 },
  ],
  unique: [["key"]],
  sorting: { column: "sort_order", ascending: [-10, -9, 0, 9, 10] },
  nullable: { column: "icon_url", ascending: textsInOrder },
}

/** The table of what users have unlocked. */
export const userAchievements: TableCase<TenantDb, UserAchievement> = {
  name: "user achievements",
  table: (db) => db.userAchievements,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writeUser(db))
    const achievement_id = given.achievement_id ?? (yield* writeAchievement(db))
    return aUserAchievement({ ...given, app_user_id, achievement_id })
  }),
  samples: [{ unlocked_at: earlyInstant }, { unlocked_at: lateInstant }],
  unique: [["app_user_id", "achievement_id"]],
  sorting: { column: "unlocked_at", ascending: instantsInOrder },
}

/** The table of what was taken back from users. */
export const achievementRevocations: TableCase<TenantDb, AchievementRevocation> = {
  name: "achievement revocations",
  table: (db) => db.achievementRevocations,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writeUser(db))
    const achievement_id = given.achievement_id ?? (yield* writeAchievement(db))
    return aRevocation({ ...given, app_user_id, achievement_id })
  }),
  samples: [{ revoked_at: earlyInstant }, { revoked_at: lateInstant }],
  unique: [["app_user_id", "achievement_id"]],
  sorting: { column: "revoked_at", ascending: instantsInOrder },
}
