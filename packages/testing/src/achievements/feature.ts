import type { AchievementsDb } from "@hearth/core/achievements"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import { achievementsContract } from "./contract.ts"
import { memoryUserAchievements } from "./memory.ts"
import { achievementShape, revocationShape, userAchievementShape } from "./memory-shapes.ts"
import { achievementsReaction } from "./reaction.ts"
import { userAchievementsSectionContract } from "./sections.contract.ts"
import { achievementRevocations, achievements, userAchievements } from "./tables.ts"

/** Achievements in tests: tables and repositories in memory, contract suites. */
export const achievementsFeature: TenantFeature<AchievementsDb> = {
  tenant: {
    shapes: [achievementShape, userAchievementShape, revocationShape],
    sections: { user_achievements: userAchievementShape },
    make: ({ statements }) => ({
      achievements: memoryTable(statements, achievementShape),
      userAchievements: memoryUserAchievements(statements),
      achievementRevocations: memoryTable(statements, revocationShape),
    }),
    contracts: [
      (open) => tableContract(open, achievements),
      (open) => tableContract(open, userAchievements),
      (open) => tableContract(open, achievementRevocations),
      achievementsContract,
      (open) => reactionContract(open, achievementsReaction),
      userAchievementsSectionContract,
    ],
  },
}
