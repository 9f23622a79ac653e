import { Schema } from "effect"
import { Count, Day, Text, Timestamp, Uuid } from "../schema.ts"

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
  /** The count and the freezes right after a done period, from which a rebuild goes on; null for a freeze, and where unknown. */
  count_after: Schema.NullOr(Count),
  freezes_after: Schema.NullOr(Count),
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

/**
 * What a definition has counted of the event log: the events of a user at one instant, and the day on which it was where the
 * user was then. Periods are made of these, by whatever rules. Unique per user, definition and instant [E2].
 */
export const QualifyingEventRow = Schema.Struct({
  ...key,
  occurred_at: Timestamp,
  /** The day of `occurred_at` in `zone`. It stays when the user's zone changes. */
  day: Day,
  /** The user's zone when the event was handled; null is UTC. */
  zone: Schema.NullOr(Text),
  /** How many there were. */
  events: Count,
  /** When the first of them was counted; null where an earlier release has done it. */
  counted_at: Schema.NullOr(Timestamp),
})
export type QualifyingEventRow = typeof QualifyingEventRow.Type
