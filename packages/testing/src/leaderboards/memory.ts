import { Leaderboard, LeaderboardEntry } from "@hearth/core/leaderboards"
import { describeTable } from "../memory/shape.ts"

/** The table of leaderboards. */
export const leaderboardShape = describeTable("leaderboards", Leaderboard)

/** The table of the ranks of users. */
export const leaderboardEntryShape = describeTable("leaderboard entries", LeaderboardEntry, {
  unique: [["leaderboard_id", "window_start", "app_user_id"]],
  parents: { leaderboard_id: "leaderboards", app_user_id: "users" },
})
