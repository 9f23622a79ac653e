import type { Table } from "../ports/table.ts"
import type { Leaderboard, LeaderboardEntry } from "./leaderboard.ts"

/** What a project's database has for leaderboards. */
export interface LeaderboardsDb {
  readonly leaderboards: Table<Leaderboard>
  /** Unique: (`leaderboard_id`, `window_start`, `app_user_id`). Removed with their user or leaderboard. */
  readonly leaderboardEntries: Table<LeaderboardEntry>
}
