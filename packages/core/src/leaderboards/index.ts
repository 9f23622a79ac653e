export { Leaderboard, LeaderboardEntry } from "./leaderboard.ts"
