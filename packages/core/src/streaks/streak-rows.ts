import { Schema } from "effect"
import { Count, Day, Timestamp, Uuid } from "../schema.ts"

const key = { app_user_id: Uuid, streak_definition_id: Uuid }

/** The key of one user's streak of one definition. */
export interface StreakKey {
  readonly app_user_id: string
  readonly streak_definition_id: string
}

/** A period that counts for a streak: done by an event, or covered by a freeze. Unique per user, definition and period. */
export const StreakPeriodRow = Schema.Struct({
  ...key,
  /** The first day of the period. */
  period_key: Day,
  kind: Schema.Literals(["done", "freeze"]),
  /** When its event occurred; for a freeze, when it was written. */
  occurred_at: Timestamp,
})
export type StreakPeriodRow = typeof StreakPeriodRow.Type

/** Freezes granted to a user, and the first period that they could cover. Stored, because a rebuild needs them [E2]. */
export const StreakGrantRow = Schema.Struct({
  id: Uuid,
  ...key,
  from_period: Day,
  count: Count,
  granted_at: Timestamp,
})
export type StreakGrantRow = typeof StreakGrantRow.Type
