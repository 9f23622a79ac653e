import type { AchievementsDb } from "@hearth/core/achievements"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { Achievement, UserAchievement } from "./entities.ts"

/** Achievements in PostgreSQL: tables and repositories. */
export const achievementsFeature: TenantFeature<AchievementsDb> = {
  tenant: {
    entities: [Achievement, UserAchievement],
    repositories: {
      achievements: (statements, shapes) => makeTable(statements, shapes(Achievement)),
      userAchievements: (statements, shapes) => makeTable(statements, shapes(UserAchievement)),
    },
  },
}
