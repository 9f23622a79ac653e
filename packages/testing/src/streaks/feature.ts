import type { StreaksDb } from "@hearth/core/streaks"
import type { TenantFeature } from "../feature.ts"
import { memoryStreakDefinitions, memoryUserStreaks, streakDefinitionShape, userStreakShape } from "./memory.ts"
import { streakGrantShape, streakPeriodShape } from "./memory-periods.ts"
import { memoryQualifyingEvents, qualifyingEventShape } from "./memory-qualifying-events.ts"

/** Streaks in tests: tables and repositories in memory. */
export const streaksFeature: TenantFeature<StreaksDb> = {
  tenant: {
    shapes: [streakDefinitionShape, userStreakShape, streakPeriodShape, streakGrantShape, qualifyingEventShape],
    sections: { streak_events: streakPeriodShape },
    make: ({ statements }) => ({
      streakDefinitions: memoryStreakDefinitions(statements),
      userStreaks: memoryUserStreaks(statements),
      qualifyingEvents: memoryQualifyingEvents(statements),
    }),
  },
}
