import type { LeaderboardsDb } from "@hearth/core/leaderboards"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import { memoryLeaderboardScores } from "./memory.ts"
import { leaderboardScoreShape, leaderboardShape } from "./memory-shapes.ts"
import { ranksContract } from "./ranks.contract.ts"
import { leaderboardsReaction } from "./reaction.ts"
import { scoresContract } from "./scores.contract.ts"
import { leaderboards } from "./tables.ts"

/** Leaderboards in tests: tables and repositories in memory, contract suites. */
export const leaderboardsFeature: TenantFeature<LeaderboardsDb> = {
  tenant: {
    shapes: [leaderboardShape, leaderboardScoreShape],
    make: ({ statements }) => ({
      leaderboards: memoryTable(statements, leaderboardShape),
      leaderboardScores: memoryLeaderboardScores(statements),
    }),
    contracts: [
      (open) => tableContract(open, leaderboards),
      ranksContract,
      scoresContract,
      (open) => reactionContract(open, leaderboardsReaction),
    ],
  },
}
