import { GivenRewardRow, type RewardsDb } from "@hearth/core/rewards"
import type { TenantFeature } from "../feature.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable } from "../memory/table.ts"

const givenRewardShape = describeTable("given rewards", GivenRewardRow, {
  unique: [["cause"]],
  parents: { app_user_id: "users" },
})

/** Rewards in tests: the table in memory. */
export const rewardsFeature: TenantFeature<RewardsDb> = {
  tenant: {
    shapes: [givenRewardShape],
    make: ({ statements }) => ({ givenRewards: memoryTable(statements, givenRewardShape) }),
  },
}
