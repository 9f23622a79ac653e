import type { LeaderboardsDb } from "@hearth/core/leaderboards"
import type { TenantFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import { memoryLeaderboardScores } from "./memory.ts"
import { leaderboardScoreShape, leaderboardShape } from "./memory-shapes.ts"

/** Leaderboards in tests: tables and repositories in memory. */
export const leaderboardsFeature: TenantFeature<LeaderboardsDb> = {
  tenant: {
    shapes: [leaderboardShape, leaderboardScoreShape],
    make: ({ statements }) => ({
      leaderboards: memoryTable(statements, leaderboardShape),
      leaderboardScores: memoryLeaderboardScores(statements),
    }),
  },
}
