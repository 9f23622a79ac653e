import type { AchievementsDb } from "@hearth/core/achievements"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { memoryTable } from "../memory/table.ts"
import { achievementShape, userAchievementShape } from "./memory.ts"
import { userAchievementsSectionContract } from "./sections.contract.ts"
import { achievements, userAchievements } from "./tables.ts"

/** Achievements in tests: tables and repositories in memory, contract suites. */
export const achievementsFeature: TenantFeature<AchievementsDb> = {
  tenant: {
    shapes: [achievementShape, userAchievementShape],
    sections: { user_achievements: userAchievementShape },
    make: ({ statements }) => ({
      achievements: memoryTable(statements, achievementShape),
      userAchievements: memoryTable(statements, userAchievementShape),
    }),
    contracts: [
      (open) => tableContract(open, achievements),
      (open) => tableContract(open, userAchievements),
      userAchievementsSectionContract,
    ],
  },
}
