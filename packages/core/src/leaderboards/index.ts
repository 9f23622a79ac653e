export { addUp, type Counted, readCounted, readXp } from "./add-up.ts"
export { type CustomEvent, readCustomEvent } from "./custom-event.ts"
export {
  AdminLeaderboardRank,
  InvalidAt,
  Leaderboard,
  LeaderboardChanges,
  LeaderboardEntry,
  LeaderboardMetric,
  LeaderboardPage,
  LeaderboardPeriod,
  LeaderboardRank,
  LeaderboardRow,
  NewLeaderboard,
  OwnLeaderboard,
  RebuildDifferences,
  RebuildStarted,
} from "./leaderboard.ts"
export { type EntriesQuery, makeLeaderboards, type RanksQuery } from "./leaderboards.ts"
export type {
  BoardKey,
  BoardPage,
  BoardQuery,
  BoardReading,
  BoardStretch,
  ChangedScore,
  ChangedStreaks,
  LeaderboardScores,
  LeaderboardsDb,
  ListedScore,
  ScoreAddition,
  ScoreAdditions,
  StreakBoards,
  UserStanding,
} from "./port.ts"
export { centreOffset, compareStandings, rankStandings, type Standing } from "./rank.ts"
export { RankCursor, type RankPosition } from "./rank-cursor.ts"
export { leaderboardEntriesSection } from "./sections.ts"
export { rankStreaksTopic } from "./streaks-topic.ts"
export { allTime, findWindow, readWindow } from "./windows.ts"
export { makeLeaderboardsWork } from "./work.ts"
