import type { StreaksDb } from "@hearth/core/streaks"
import type { TenantFeature } from "../feature.ts"
import { day, fields, instant, keepList, limit, orNull, text, uuid } from "../memory/arguments.ts"
import { memoryStreakDefinitions, memoryUserStreaks, streakDefinitionShape, userStreakShape } from "./memory.ts"
import { streakGrantShape, streakPeriodShape } from "./memory-periods.ts"
import { memoryQualifyingEvents, qualifyingEventShape } from "./memory-qualifying-events.ts"

const key = { app_user_id: uuid, streak_definition_id: uuid }
const streak = fields(key)
const afterPeriod = fields({ ...key, after: orNull(day) })
const fromInstant = fields({ ...key, from: instant })

/** Streaks in tests: tables and repositories in memory. */
export const streaksFeature: TenantFeature<StreaksDb> = {
  tenant: {
    shapes: [streakDefinitionShape, userStreakShape, streakPeriodShape, streakGrantShape, qualifyingEventShape],
    sections: { streak_events: streakPeriodShape },
    rules: {
      streakDefinitions: { lockMany: [keepList(uuid)] },
      userStreaks: {
        ofUsers: [keepList(uuid)],
        lockMany: [keepList(streak)],
        expired: [instant, limit],
        awaitingRebuild: [uuid, orNull(text), orNull(uuid), limit],
        grants: [keepList(streak)],
        replacePeriods: [keepList(afterPeriod)],
        lastDoneBefore: [keepList(fromInstant)],
        uncountedPeriods: [keepList(afterPeriod)],
        periodsFrom: [streak, day],
        recentPeriods: [uuid, limit],
      },
      qualifyingEvents: {
        list: [keepList(fromInstant), limit],
        firstOfSpans: [streak, keepList(fields({ from: day, through: day })), limit],
        removeSome: [uuid, limit],
      },
    },
    make: ({ statements }) => ({
      streakDefinitions: memoryStreakDefinitions(statements),
      userStreaks: memoryUserStreaks(statements),
      qualifyingEvents: memoryQualifyingEvents(statements),
    }),
  },
}
