import type { Effect } from "effect"
import type { Table } from "../ports/table.ts"
import type { StreakDefinition } from "./definition.ts"
import type { QualifyingEventRow, StreakGrantRow, StreakKey, StreakPeriodRow } from "./streak-rows.ts"
import type { UserStreak } from "./user-streak.ts"

/** The definitions of streaks. */
export interface StreakDefinitions extends Table<StreakDefinition> {
  /** Those of the definitions that exist, by id, locked against removal until the transaction ends. */
  lockMany(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<StreakDefinition>>
}

/** The streaks of users. Unique: (`app_user_id`, `streak_definition_id`). Removed with their user or definition. */
export interface UserStreaks extends Table<UserStreak>, StreakPeriods {
  /** All streaks of the given users. */
  ofUsers(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<UserStreak>>
  /** The given streaks that exist, locked until the transaction ends. Their users and definitions are locked before. */
  lockMany(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<UserStreak>>
  /**
   * Inserts or replaces whole streaks by `id`. A stored streak with the same user and definition but another `id` is a
   * defect, so that no update is lost.
   */
  save(streaks: ReadonlyArray<UserStreak>): Effect.Effect<void>
  /** Up to `limit` streaks with `expires_at` at `now` or before, soonest first. They are not locked. */
  expired(now: Date, limit: number): Effect.Effect<ReadonlyArray<UserStreak>>
  /** When the next streak expires; null when none will. */
  nextExpiry(): Effect.Effect<Date | null>
  /**
   * Up to `limit` streaks of a definition that wait for a rebuild, of users after `afterUserId`, by user id: those counted by
   * other rules than `rules`, and those with `rebuild_from`; the latter alone where `rules` is null. They are not locked.
   */
  awaitingRebuild(
    definitionId: string,
    rules: string | null,
    afterUserId: string | null,
    limit: number,
  ): Effect.Effect<ReadonlyArray<StreakKey>>
  addGrant(grant: StreakGrantRow): Effect.Effect<void>
  /** The grants of the streaks, each once: by user, definition, `from_period`, `granted_at`, then `id`. */
  grants(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<StreakGrantRow>>
}

/** A streak, and the period after which something is meant; null is all periods. */
export interface AfterPeriod extends StreakKey {
  readonly after: string | null
}

/** A streak and an instant. */
export interface FromInstant extends StreakKey {
  readonly from: Date
}

/** A done period, and the zone in which its event counted, `UTC` for none; null where that event is not in the log. */
export interface LastDonePeriod extends StreakPeriodRow {
  readonly zone: string | null
}

/** The periods of streaks, done and frozen. */
export interface StreakPeriods {
  /**
   * Writes periods, as if one after the other. `done` replaces `freeze`; nothing replaces `done`; an existing freeze stays.
   */
  addPeriods(periods: ReadonlyArray<StreakPeriodRow>): Effect.Effect<void>
  /** Makes `periods` all that the streaks have after the given ones. A freeze that is there already stays as it is. */
  replacePeriods(keys: ReadonlyArray<AfterPeriod>, periods: ReadonlyArray<StreakPeriodRow>): Effect.Effect<void>
  /** Of each streak the latest done period whose event occurred before the instant, where there is one. */
  lastDoneBefore(keys: ReadonlyArray<FromInstant>): Effect.Effect<ReadonlyArray<LastDonePeriod>>
  /** The done periods without `count_after`, after the given ones: releases before the log of streaks have written them. */
  uncountedPeriods(keys: ReadonlyArray<AfterPeriod>): Effect.Effect<ReadonlyArray<StreakPeriodRow>>
  /** The periods of a streak from the last done one before `period` on, or from `period` on where there is none; the earliest first. */
  periodsFrom(key: StreakKey, period: string): Effect.Effect<ReadonlyArray<StreakPeriodRow>>
  /** The last `limit` periods, done and frozen, of each streak of a user: all of them newest first, then by definition. */
  recentPeriods(userId: string, limit: number): Effect.Effect<ReadonlyArray<StreakPeriodRow>>
}

/** Days, `YYYY-MM-DD`, both included. */
export interface DaySpan {
  readonly from: string
  readonly through: string
}

/** What definitions have counted of the event log. Removed with their user or definition. */
export interface QualifyingEvents {
  /** Adds events, given once per key and instant. Where there are some already they become more; their day and zone stay. */
  add(events: ReadonlyArray<QualifyingEventRow>): Effect.Effect<void>
  /** The events of the streaks from their instants on, streak by streak in the order given, earliest first, `limit` in all. */
  list(keys: ReadonlyArray<FromInstant>, limit: number): Effect.Effect<ReadonlyArray<QualifyingEventRow>>
  /** Of a streak the first `limit` instants of each span of days, span by span, the earliest first. */
  firstOfSpans(
    key: StreakKey,
    spans: ReadonlyArray<DaySpan>,
    limit: number,
  ): Effect.Effect<ReadonlyArray<QualifyingEventRow>>
  /** Removes up to `limit` rows of a user, and passes over those that others have locked. Answers how many. */
  removeSome(userId: string, limit: number): Effect.Effect<number>
}

/** What a project's database has for streaks. */
export interface StreaksDb {
  readonly streakDefinitions: StreakDefinitions
  readonly userStreaks: UserStreaks
  readonly qualifyingEvents: QualifyingEvents
}
