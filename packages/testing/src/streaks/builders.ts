import type {
  QualifyingEventRow,
  StreakDefinition,
  StreakGrantRow,
  StreakPeriodRow,
  UserStreak,
} from "@hearth/core/streaks"
import { anId, builtAt, type Given } from "../builders.ts"

/** A daily streak of `lesson_completed`, without freezes. */
export const aStreakDefinition = (given: Given<StreakDefinition> = {}): StreakDefinition => {
  const id = anId()
  return {
    id,
    name: `Streak ${id.slice(-6)}`,
    description: null,
    qualifying_event: "lesson_completed",
    period: "daily",
    grace_period_hours: 0,
    freeze_enabled: false,
    max_freezes: 1,
    freezes_per_n_events: null,
    created_at: new Date(builtAt),
    ...given,
  }
}

/** The streak of a user without a done period. */
export const aUserStreak = (given: Given<UserStreak, "app_user_id" | "streak_definition_id">): UserStreak => ({
  id: anId(),
  current_count: 0,
  longest_count: 0,
  freezes_remaining: 0,
  status: "broken",
  last_period: null,
  settled_period: null,
  last_event_at: null,
  last_done_at: null,
  last_done_zone: null,
  rules: "",
  rebuild_from: null,
  expires_at: null,
  updated_at: new Date(builtAt),
  ...given,
})

/** A done period of a streak. */
export const aStreakPeriod = (
  given: Given<StreakPeriodRow, "app_user_id" | "streak_definition_id">,
): StreakPeriodRow => ({
  period_key: "2026-01-01",
  kind: "done",
  occurred_at: new Date(builtAt),
  count_after: null,
  freezes_after: null,
  ...given,
})

/** One event that a definition has counted, on 1 January 2026 in UTC. */
export const aQualifyingEvent = (
  given: Given<QualifyingEventRow, "app_user_id" | "streak_definition_id">,
): QualifyingEventRow => ({
  occurred_at: new Date(builtAt),
  day: "2026-01-01",
  zone: null,
  events: 1,
  counted_at: new Date(builtAt),
  ...given,
})

/** A grant of one freeze. */
export const aStreakGrant = (given: Given<StreakGrantRow, "app_user_id" | "streak_definition_id">): StreakGrantRow => ({
  id: anId(),
  from_period: "2026-01-01",
  count: 1,
  granted_at: new Date(builtAt),
  ...given,
})
