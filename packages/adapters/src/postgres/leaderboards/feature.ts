import type { LeaderboardsDb } from "@hearth/core/leaderboards"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { Leaderboard, LeaderboardEntry } from "./entities.ts"

/** Leaderboards in PostgreSQL: tables and repositories. */
export const leaderboardsFeature: TenantFeature<LeaderboardsDb> = {
  tenant: {
    entities: [Leaderboard, LeaderboardEntry],
    repositories: {
      leaderboards: (statements, shapes) => makeTable(statements, shapes(Leaderboard)),
      leaderboardEntries: (statements, shapes) => makeTable(statements, shapes(LeaderboardEntry)),
    },
  },
}
