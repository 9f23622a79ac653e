import type { Table } from "../ports/table.ts"
import type { Leaderboard, LeaderboardEntry } from "./leaderboard.ts"

/** What a project has of leaderboards. */
export interface LeaderboardsDb {
  readonly leaderboards: Table<Leaderboard>
  /** Unique: (`leaderboard_id`, `window_start`, `app_user_id`). Gone with their user or leaderboard. */
  readonly leaderboardEntries: Table<LeaderboardEntry>
}
