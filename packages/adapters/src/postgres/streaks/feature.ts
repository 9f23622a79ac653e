import type { StreaksDb } from "@hearth/core/streaks"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { StreakDefinition, StreakGrant, StreakPeriod, UserStreak } from "./entities.ts"
import { makeUserStreaks } from "./streaks.ts"

/** Streaks in PostgreSQL: tables and repositories. */
export const streaksFeature: TenantFeature<StreaksDb> = {
  tenant: {
    entities: [StreakDefinition, UserStreak, StreakPeriod, StreakGrant],
    repositories: {
      streakDefinitions: (statements, shapes) => makeTable(statements, shapes(StreakDefinition)),
      userStreaks: (statements, shapes) => makeUserStreaks(statements, shapes(UserStreak)),
    },
  },
}
