/** One user's run of one definition. */
export interface StreakKey {
  readonly app_user_id: string
  readonly streak_definition_id: string
}

/** A period that counts for a streak: done by an event, or covered by a freeze. Unique per user, definition and period. */
export interface StreakPeriodRow extends StreakKey {
  /** The first day of the period. */
  readonly period_key: string
  readonly kind: "done" | "freeze"
  /** When the event that did it occurred; for a freeze, the instant at which it was written. */
  readonly occurred_at: Date
}

/** Freezes granted to a user, and the first period that they could cover. Kept, so that they survive a new fold [E2]. */
export interface StreakGrantRow extends StreakKey {
  readonly id: string
  readonly from_period: string
  readonly count: number
  readonly granted_at: Date
}
