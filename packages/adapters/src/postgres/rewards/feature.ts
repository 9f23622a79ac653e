import type { RewardsDb } from "@hearth/core/rewards"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { GivenReward, givenRewards } from "./entities.ts"

/** Rewards in PostgreSQL: what was given for which cause. */
export const rewardsFeature: TenantFeature<RewardsDb> = {
  tenant: {
    entities: [GivenReward],
    steps: [givenRewards],
    repositories: { givenRewards: (statements, shapes) => makeTable(statements, shapes(GivenReward)) },
  },
}
