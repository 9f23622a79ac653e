import type { LeaderboardRow, LeaderboardsDb } from "@hearth/core/leaderboards"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import {
  Leaderboard,
  LeaderboardBlock,
  LeaderboardEntry,
  LeaderboardScore,
  LeaderboardWindow,
  leaderboardScores,
} from "./entities.ts"
import { makeScorePages } from "./score-pages.ts"
import { makeScoreWrites } from "./score-writes.ts"

/** Leaderboards in PostgreSQL: tables and repositories. */
export const leaderboardsFeature: TenantFeature<LeaderboardsDb> = {
  tenant: {
    entities: [Leaderboard, LeaderboardEntry, LeaderboardScore, LeaderboardWindow, LeaderboardBlock],
    steps: [leaderboardScores],
    repositories: {
      leaderboards: (statements, shapes) => makeTable<LeaderboardRow>(statements, shapes(Leaderboard)),
      leaderboardScores: (statements) => ({ ...makeScorePages(statements), ...makeScoreWrites(statements) }),
    },
  },
}
