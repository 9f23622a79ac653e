import type { AchievementsDb } from "@hearth/core/achievements"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { Achievement, AchievementRevocation, achievementRevocations, UserAchievement } from "./entities.ts"
import { makeUserAchievements } from "./user-achievements.ts"

/** Achievements in PostgreSQL: tables and repositories. */
export const achievementsFeature: TenantFeature<AchievementsDb> = {
  tenant: {
    entities: [Achievement, UserAchievement, AchievementRevocation],
    steps: [achievementRevocations],
    repositories: {
      achievements: (statements, shapes) => makeTable(statements, shapes(Achievement)),
      userAchievements: (statements, shapes) => makeUserAchievements(statements, shapes(UserAchievement)),
      achievementRevocations: (statements, shapes) => makeTable(statements, shapes(AchievementRevocation)),
    },
  },
}
