import type { Leaderboard, LeaderboardEntry } from "@hearth/core/leaderboards"
import { anId, builtAt, type Given } from "../builders.ts"

/** A leaderboard of experience points of all time. */
export const aLeaderboard = (given: Given<Leaderboard> = {}): Leaderboard => {
  const id = anId()
  return {
    id,
    name: `Leaderboard ${id.slice(-6)}`,
    metric: "xp",
    period: "all_time",
    max_entries: 100,
    custom_event: null,
    is_active: true,
    created_at: new Date(builtAt),
    ...given,
  }
}

/** A user's first rank on a leaderboard of all time. */
export const aLeaderboardEntry = (
  given: Given<LeaderboardEntry, "leaderboard_id" | "app_user_id">,
): LeaderboardEntry => ({
  id: anId(),
  window_start: "0001-01-01",
  score: 0,
  rank: 1,
  reached_at: new Date(builtAt),
  ...given,
})
