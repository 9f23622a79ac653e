export { Leaderboard, LeaderboardEntry } from "./leaderboard.ts"
export type { LeaderboardsDb } from "./port.ts"
export { leaderboardEntriesSection } from "./sections.ts"
