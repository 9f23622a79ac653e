import type { LeaderboardRow } from "@hearth/core/leaderboards"
import { anId, builtAt, type Given } from "../builders.ts"

/** A leaderboard of experience points of all time. */
export const aLeaderboard = (given: Given<LeaderboardRow> = {}): LeaderboardRow => {
  const id = anId()
  return {
    id,
    name: `Leaderboard ${id.slice(-6)}`,
    metric: "xp",
    period: "all_time",
    max_entries: 100,
    custom_event: null,
    is_active: true,
    filling: false,
    created_at: new Date(builtAt),
    version: 0,
    filled_through: null,
    ...given,
  }
}
