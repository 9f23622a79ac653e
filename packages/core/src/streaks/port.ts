import type { Effect } from "effect"
import type { Table } from "../ports/table.ts"
import type { StreakDefinition } from "./definition.ts"
import type { StreakGrantRow, StreakKey, StreakPeriodRow } from "./streak-rows.ts"
import type { UserStreak } from "./user-streak.ts"

/** The streaks of users. Unique: (`app_user_id`, `streak_definition_id`). Removed with their user or definition. */
export interface UserStreaks extends Table<UserStreak> {
  /** All streaks of the given users. */
  ofUsers(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<UserStreak>>
  /** The given streaks that exist, locked until the transaction ends. */
  lockMany(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<UserStreak>>
  /**
   * Inserts or replaces whole streaks by `id`. A stored streak with the same user and definition but another `id` is a
   * defect, so that no update is lost.
   */
  save(streaks: ReadonlyArray<UserStreak>): Effect.Effect<void>
  /**
   * Streaks with `expires_at` at `now` or before, soonest first, locked. Those that another transaction has locked are
   * skipped.
   */
  lockExpired(now: Date, limit: number): Effect.Effect<ReadonlyArray<UserStreak>>
  /** When the next streak expires; null when none will. */
  nextExpiry(): Effect.Effect<Date | null>
  /** Up to `limit` streaks of a definition after a user, by user id, locked. */
  lockOfDefinition(
    definitionId: string,
    afterUserId: string | null,
    limit: number,
  ): Effect.Effect<ReadonlyArray<UserStreak>>
  /**
   * Writes periods, as if one after the other. `done` replaces `freeze`; nothing replaces `done`; an existing freeze stays.
   */
  addPeriods(periods: ReadonlyArray<StreakPeriodRow>): Effect.Effect<void>
  /** Removes the freezes of the given streaks and writes `freezes` as `addPeriods` does. */
  replaceFreezes(keys: ReadonlyArray<StreakKey>, freezes: ReadonlyArray<StreakPeriodRow>): Effect.Effect<void>
  /** The done periods of the given streaks, ascending in each. */
  donePeriods(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<StreakPeriodRow>>
  /** The last `limit` periods, done and frozen, of each streak of a user, newest first. */
  recentPeriods(userId: string, limit: number): Effect.Effect<ReadonlyArray<StreakPeriodRow>>
  /**
   * Turns the periods of a definition from days into weeks, each week once, after its period has changed to weekly. A week is
   * done when one of its days is, with the earliest `occurred_at` of those. A change from weeks to days needs no rewrite:
   * weeks stay as their Mondays.
   */
  weeksFromDays(definitionId: string): Effect.Effect<void>
  addGrant(grant: StreakGrantRow): Effect.Effect<void>
  grants(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<StreakGrantRow>>
}

/** What a project's database has for streaks. */
export interface StreaksDb {
  readonly streakDefinitions: Table<StreakDefinition>
  readonly userStreaks: UserStreaks
}
