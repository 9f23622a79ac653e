import type { Achievement, Leaderboard, LeaderboardEntry, PushToken, TenantDb, UserAchievement } from "@hearth/core"
import { Effect } from "effect"
import { anAchievement, aUserAchievement } from "../achievements/builders.ts"
import { aLeaderboard, aLeaderboardEntry } from "../leaderboards/builders.ts"
import { aPushToken } from "../push/builders.ts"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "./awkward-values.ts"
import type { TableCase } from "./table.contract.ts"
import { writtenUser } from "./tenant-tables.ts"

const writtenAchievement = (db: TenantDb) => {
  const achievement = anAchievement()
  return Effect.as(Effect.orDie(db.achievements.insert(achievement)), achievement.id)
}
const writtenLeaderboard = (db: TenantDb) => {
  const leaderboard = aLeaderboard()
  return Effect.as(Effect.orDie(db.leaderboards.insert(leaderboard)), leaderboard.id)
}

const achievements: TableCase<TenantDb, Achievement> = {
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

const userAchievements: TableCase<TenantDb, UserAchievement> = {
  name: "user achievements",
  table: (db) => db.userAchievements,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writtenUser(db))
    const achievement_id = given.achievement_id ?? (yield* writtenAchievement(db))
    return aUserAchievement({ ...given, app_user_id, achievement_id })
  }),
  samples: [{ unlocked_at: earlyInstant }, { unlocked_at: lateInstant }],
  unique: [["app_user_id", "achievement_id"]],
  sorting: { column: "unlocked_at", ascending: instantsInOrder },
}

const leaderboards: TableCase<TenantDb, Leaderboard> = {
  name: "leaderboards",
  table: (db) => db.leaderboards,
  row: (_, given) => Effect.sync(() => aLeaderboard(given)),
  samples: [
    { name: awkwardText, metric: "custom", custom_event: awkwardText, period: "monthly", created_at: awkwardInstant },
    { metric: "streak_length", custom_event: null, period: "weekly", max_entries: 1, is_active: false },
  ],
  unique: [],
  sorting: { column: "name", ascending: textsInOrder },
  nullable: { column: "custom_event", ascending: textsInOrder },
}

const leaderboardEntries: TableCase<TenantDb, LeaderboardEntry> = {
  name: "leaderboard entries",
  table: (db) => db.leaderboardEntries,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writtenUser(db))
    const leaderboard_id = given.leaderboard_id ?? (yield* writtenLeaderboard(db))
    return aLeaderboardEntry({ ...given, app_user_id, leaderboard_id })
  }),
  samples: [
    { window_start: "2024-02-29", score: 0.1, rank: null, reached_at: awkwardInstant },
    { window_start: "9999-12-31", score: -1e300, rank: 2_147_483_647, reached_at: lateInstant },
  ],
  unique: [["leaderboard_id", "window_start", "app_user_id"]],
  sorting: { column: "score", ascending: [-10, -9, 0, 0.5, 9, 10] },
  nullable: { column: "rank", ascending: [1, 2, 9, 10] },
}

const pushTokens: TableCase<TenantDb, PushToken> = {
  name: "push tokens",
  table: (db) => db.pushTokens,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aPushToken({ ...given, app_user_id: given.app_user_id ?? (yield* writtenUser(db)) })
  }),
  samples: [
    { platform: "android", provider: "push_b", is_active: false, created_at: awkwardInstant },
    { token: awkwardText, platform: "web", provider: "push_b", created_at: earlyInstant },
  ],
  unique: [["token"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}

/** The tables of achievements, leaderboards and devices. */
export const featureTables = { achievements, userAchievements, leaderboards, leaderboardEntries, pushTokens }
