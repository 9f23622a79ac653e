import type { StreaksDb } from "@hearth/core/streaks"
import { reactionContract } from "../contracts/reaction.contract.ts"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { memoryStreakDefinitions, memoryUserStreaks, streakDefinitionShape, userStreakShape } from "./memory.ts"
import { streakGrantShape, streakPeriodShape } from "./memory-periods.ts"
import { memoryQualifyingEvents, qualifyingEventShape } from "./memory-qualifying-events.ts"
import { streakPeriodsContract } from "./periods.contract.ts"
import { qualifyingEventsContract } from "./qualifying-events.contract.ts"
import { streaksReaction } from "./reaction.ts"
import { streakEventsSectionContract } from "./sections.contract.ts"
import { streakDefinitions, userStreaks } from "./tables.ts"
import { userStreaksContract } from "./user-streaks.contract.ts"

/** Streaks in tests: tables and repositories in memory, contract suites. */
export const streaksFeature: TenantFeature<StreaksDb> = {
  tenant: {
    shapes: [streakDefinitionShape, userStreakShape, streakPeriodShape, streakGrantShape, qualifyingEventShape],
    sections: { streak_events: streakPeriodShape },
    make: ({ statements }) => ({
      streakDefinitions: memoryStreakDefinitions(statements),
      userStreaks: memoryUserStreaks(statements),
      qualifyingEvents: memoryQualifyingEvents(statements),
    }),
    contracts: [
      (open) => tableContract(open, streakDefinitions),
      (open) => tableContract(open, userStreaks),
      userStreaksContract,
      (open) => reactionContract(open, streaksReaction),
      streakPeriodsContract,
      qualifyingEventsContract,
      streakEventsSectionContract,
    ],
  },
}
