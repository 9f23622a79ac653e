import { describeColumns } from "../columns.ts"
import type { ViewSection } from "../exports/section.ts"
import { LeaderboardEntry } from "./leaderboard.ts"
import type { LeaderboardsDb } from "./port.ts"

/** The ranks of the user, as they are at the time of reading. */
export const leaderboardEntriesSection: ViewSection<LeaderboardsDb> = {
  name: "leaderboard_entries",
  key: ["leaderboard_id", "window_start"],
  columns: describeColumns(LeaderboardEntry),
  read: (db, userId) => db.leaderboardScores.listByUser(userId),
}
