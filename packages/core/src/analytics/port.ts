import type { Effect } from "effect"
import type { DayRange, TimeRange } from "./days.ts"
import type { DayUsers, HourCount, SessionFigures } from "./figures.ts"

/** A user was active on a day in UTC [G0.4]. */
export interface ActiveDay {
  readonly app_user_id: string
  readonly day: string
}

/** The days on which users were active: one row per user and UTC day. Removed with their user. */
export interface ActiveDays {
  /**
   * Adds the days that are not there yet, of users who exist, and keeps those users from being removed until the transaction ends. Any number
   * may do so at once.
   */
  add(days: ReadonlyArray<ActiveDay>): Effect.Effect<void>
  /**
   * Adds the days of stored events that are activity [G0.4]: of the next `limit` events after `afterId`, in the order of their
   * ids. Answers the id of the last of them; null where these were fewer than `limit`.
   */
  addFromEvents(afterId: string | null, limit: number): Effect.Effect<string | null>
}

/** How many users were active in the 7 and in the 30 days up to a day, and the sum of the users of each of the 30. */
export interface ActiveUsers {
  readonly wau: number
  readonly mau: number
  readonly active_days: number
}

/** How many users were first seen in a week. */
export interface CohortSize {
  readonly week: string
  readonly users: number
}

/** How many users of a week's cohort were active `weeks_later` weeks after it. */
export interface CohortActivity {
  readonly week: string
  readonly weeks_later: number
  readonly users: number
}

/** The figures of a project. Each is a statement of its own. */
export interface Analytics {
  /**
   * The sessions that have started in the range. Those of them that were last seen at `lapsed` or before have ended, also
   * where that is not written yet. Days, platforms and app versions without any are left out; there are at most 100 platforms and
   * 10 versions, those with the most sessions first, then by name, the unknown one after those.
   */
  sessions(range: TimeRange, lapsed: Date): Effect.Effect<SessionFigures>
  /** The events of the range by the UTC hour in which they occurred, and their users, ascending; hours without any are left out. */
  eventsByHour(range: TimeRange): Effect.Effect<ReadonlyArray<HourCount>>
  /** The active users of each day, ascending; days without any are left out. */
  activeByDay(days: DayRange): Effect.Effect<ReadonlyArray<DayUsers>>
  /** The active users of 30 days, and of those from `weekFrom` on. */
  activeUsers(month: DayRange, weekFrom: string): Effect.Effect<ActiveUsers>
  /** The users first seen in the range, by UTC day, ascending; days without any are left out. */
  newByDay(range: TimeRange): Effect.Effect<ReadonlyArray<DayUsers>>
  /** The users first seen in the range, by the Monday of their ISO week. */
  cohortSizes(range: TimeRange): Effect.Effect<ReadonlyArray<CohortSize>>
  /** How many of them were active in the weeks from their own on, before the end of the range. */
  cohortActivity(range: TimeRange): Effect.Effect<ReadonlyArray<CohortActivity>>
}

/** What a project's database has of active days. */
export interface ActiveDaysDb {
  readonly activeDays: ActiveDays
}

/** What a project's database has for analytics. */
export interface AnalyticsDb extends ActiveDaysDb {
  readonly analytics: Analytics
}
