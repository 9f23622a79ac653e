import { defineEntity, p } from "@mikro-orm/postgresql"
import { User } from "../users/entities.ts"

export const Leaderboard = defineEntity({
  name: "Leaderboard",
  tableName: "leaderboards",
  properties: {
    id: p.uuid().primary(),
    name: p.text(),
    metric: p.enum(["xp", "streak_length", "custom"] as const),
    period: p.enum(["all_time", "daily", "weekly", "monthly"] as const),
    max_entries: p.integer().check("max_entries > 0"),
    custom_event: p.text().nullable(),
    is_active: p.boolean(),
    created_at: p.datetime(3),
  },
})

export const LeaderboardEntry = defineEntity({
  name: "LeaderboardEntry",
  tableName: "leaderboard_entries",
  properties: {
    id: p.uuid().primary(),
    leaderboard_id: () => p.manyToOne(Leaderboard).mapToPk().deleteRule("cascade"),
    app_user_id: () => p.manyToOne(User).mapToPk().deleteRule("cascade").index(),
    window_start: p.date(),
    score: p.double(),
    rank: p.integer().nullable(),
    reached_at: p.datetime(3),
  },
  // The generated name would be longer than PostgreSQL allows.
  uniques: [
    { name: "leaderboard_entries_place_unique", properties: ["leaderboard_id", "window_start", "app_user_id"] },
  ],
  indexes: [{ properties: ["leaderboard_id", "window_start", "rank"] }],
})
