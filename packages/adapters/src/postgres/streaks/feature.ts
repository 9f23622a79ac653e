import type { StreaksDb } from "@hearth/core/streaks"
import type { TenantFeature } from "../feature.ts"
import {
  countingTimes,
  doneZones,
  QualifyingEvent,
  StreakDefinition,
  StreakGrant,
  StreakPeriod,
  streakLog,
  UserStreak,
} from "./entities.ts"
import { makeQualifyingEvents } from "./qualifying-events.ts"
import { makeStreakDefinitions, makeUserStreaks } from "./streaks.ts"

/** Streaks in PostgreSQL: tables and repositories. */
export const streaksFeature: TenantFeature<StreaksDb> = {
  tenant: {
    entities: [StreakDefinition, UserStreak, StreakPeriod, StreakGrant, QualifyingEvent],
    steps: [streakLog, countingTimes, doneZones],
    repositories: {
      streakDefinitions: (statements, shapes) => makeStreakDefinitions(statements, shapes(StreakDefinition)),
      userStreaks: (statements, shapes) => makeUserStreaks(statements, shapes(UserStreak)),
      qualifyingEvents: makeQualifyingEvents,
    },
  },
}
