import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { LeaderboardEntry } from "./leaderboard.ts"

/** The ranks of the user. */
export const leaderboardEntriesSection: TableSection = {
  name: "leaderboard_entries",
  key: ["id"],
  columns: describeColumns(LeaderboardEntry),
}
