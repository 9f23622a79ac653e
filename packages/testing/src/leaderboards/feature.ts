import type { LeaderboardsDb } from "@hearth/core/leaderboards"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import { leaderboardEntryShape, leaderboardShape } from "./memory.ts"
import { leaderboardEntriesSectionContract } from "./sections.contract.ts"
import { leaderboardEntries, leaderboards } from "./tables.ts"

/** Leaderboards in tests: tables and repositories in memory, contract suites. */
export const leaderboardsFeature: TenantFeature<LeaderboardsDb> = {
  tenant: {
    shapes: [leaderboardShape, leaderboardEntryShape],
    sections: { leaderboard_entries: leaderboardEntryShape },
    make: ({ statements }) => ({
      leaderboards: memoryTable(statements, leaderboardShape),
      leaderboardEntries: memoryTable(statements, leaderboardEntryShape),
    }),
    contracts: [
      (open) => tableContract(open, leaderboards),
      (open) => tableContract(open, leaderboardEntries),
      leaderboardEntriesSectionContract,
    ],
  },
}
