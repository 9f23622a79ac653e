import type { Effect } from "effect"
import type { Table } from "../ports/table.ts"
import type { StreakDefinition } from "./definition.ts"
import type { StreakGrantRow, StreakKey, StreakPeriodRow } from "./streak-rows.ts"
import type { UserStreak } from "./user-streak.ts"

/** The streaks of users. Unique: (`app_user_id`, `streak_definition_id`). They go with their user or definition. */
export interface UserStreaks extends Table<UserStreak> {
  /** All streaks of the given users. */
  ofUsers(userIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<UserStreak>>
  /** Those of the given streaks that exist, locked until the transaction ends. */
  lockMany(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<UserStreak>>
  /**
   * Writes whole streaks: new ones, and over those of the same `id`. A streak of another `id` in its place is a defect, so
   * that no update is lost.
   */
  save(streaks: ReadonlyArray<UserStreak>): Effect.Effect<void>
  /**
   * Streaks whose `expires_at` has come (at `now` or before), soonest first, locked; those that somebody else has locked
   * are left out.
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
   * Writes periods, as if one after the other. `done` goes over `freeze`; nothing goes over `done`; a freeze that is there
   * stays.
   */
  addPeriods(periods: ReadonlyArray<StreakPeriodRow>): Effect.Effect<void>
  /** Removes the freezes of the given streaks and writes `freezes` as `addPeriods` does. */
  replaceFreezes(keys: ReadonlyArray<StreakKey>, freezes: ReadonlyArray<StreakPeriodRow>): Effect.Effect<void>
  /** The done periods of the given streaks, ascending in each. */
  donePeriods(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<StreakPeriodRow>>
  /** The last `limit` periods, done and frozen, of each streak of a user, newest first. */
  recentPeriods(userId: string, limit: number): Effect.Effect<ReadonlyArray<StreakPeriodRow>>
  /**
   * Reads the periods of a definition anew after its period has changed to weekly: days become their weeks, each once.
   * A week is done when any of its days is, since the earliest `occurred_at` of those. Weeks that become days stay the
   * Mondays they are.
   */
  weeksFromDays(definitionId: string): Effect.Effect<void>
  addGrant(grant: StreakGrantRow): Effect.Effect<void>
  grants(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<StreakGrantRow>>
}

/** What a project has of streaks. */
export interface StreaksDb {
  readonly streakDefinitions: Table<StreakDefinition>
  readonly userStreaks: UserStreaks
}
