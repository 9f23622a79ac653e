import type { AchievementsDb } from "@hearth/core/achievements"
import type { TenantFeature } from "../feature.ts"
import { any, instant, keepList, limit, orNull, uuid } from "../memory/arguments.ts"
import { memoryTable } from "../memory/table.ts"
import { memoryUserAchievements } from "./memory.ts"
import { achievementShape, revocationShape, userAchievementShape } from "./memory-shapes.ts"

/** Achievements in tests: tables and repositories in memory. */
export const achievementsFeature: TenantFeature<AchievementsDb> = {
  tenant: {
    shapes: [achievementShape, userAchievementShape, revocationShape],
    sections: { user_achievements: userAchievementShape },
    rules: {
      userAchievements: {
        listClosed: [keepList(uuid)],
        listCandidates: [uuid, orNull(uuid), limit],
        preview: [any, orNull(uuid), instant, limit],
      },
    },
    make: ({ statements }) => ({
      achievements: memoryTable(statements, achievementShape),
      userAchievements: memoryUserAchievements(statements),
      achievementRevocations: memoryTable(statements, revocationShape),
    }),
  },
}
