import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { ranksContract } from "./ranks.contract.ts"
import { leaderboardsReaction } from "./reaction.ts"
import { scoresContract } from "./scores.contract.ts"
import { leaderboards } from "./tables.ts"

/** What every adapter promises about leaderboards. */
export const leaderboardsSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, leaderboards),
    ranksContract,
    scoresContract,
    (open) => reactionContract(open, leaderboardsReaction),
  ],
}
