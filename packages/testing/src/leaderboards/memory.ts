import { Leaderboard, LeaderboardEntry } from "@hearth/core/leaderboards"
import { shapeOf } from "../memory/shape.ts"

/** The table of leaderboards. */
export const leaderboardShape = shapeOf("leaderboards", Leaderboard)

/** The table of the places of users. */
export const leaderboardEntryShape = shapeOf("leaderboard entries", LeaderboardEntry, {
  unique: [["leaderboard_id", "window_start", "app_user_id"]],
  parents: { leaderboard_id: "leaderboards", app_user_id: "users" },
})
