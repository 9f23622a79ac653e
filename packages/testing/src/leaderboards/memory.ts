import type { Leaderboard, LeaderboardEntry } from "@hearth/core"
import { shapeOf } from "../memory/shape.ts"

/** The table of leaderboards. */
export const leaderboardShape = shapeOf<Leaderboard>("leaderboards", {
  id: "uuid",
  name: "text",
  metric: ["xp", "streak_length", "custom"],
  period: ["all_time", "daily", "weekly", "monthly"],
  max_entries: "count",
  custom_event: "text?",
  is_active: "boolean",
  created_at: "instant",
})

/** The table of the places of users. */
export const leaderboardEntryShape = shapeOf<LeaderboardEntry>(
  "leaderboard entries",
  {
    id: "uuid",
    leaderboard_id: "uuid",
    app_user_id: "uuid",
    window_start: "day",
    score: "number",
    rank: "whole?",
    reached_at: "instant",
  },
  {
    unique: [["leaderboard_id", "window_start", "app_user_id"]],
    parents: { leaderboard_id: "leaderboards", app_user_id: "users" },
  },
)
