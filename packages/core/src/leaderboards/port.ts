import type { Effect } from "effect"
import type { Slice, Table } from "../ports/table.ts"
import type { LeaderboardEntry, LeaderboardPeriod, LeaderboardRow } from "./leaderboard.ts"
import type { Standing } from "./rank.ts"

/** The scores of a leaderboard that are read. */
export interface BoardKey {
  readonly leaderboard_id: string
  readonly version: number
}

/** What events or XP have added to a user's score in a window. */
export interface ScoreAddition {
  readonly app_user_id: string
  readonly window_start: string
  /** In ten-thousandths. */
  readonly units: bigint
  /** The latest `occurred_at` of them. */
  readonly reached_at: Date
}

/** The same additions to several leaderboards. In one call a leaderboard is in one group at most. */
export interface ScoreAdditions {
  readonly boards: ReadonlyArray<BoardKey>
  /** Each user and window once; a second one is a defect. */
  readonly additions: ReadonlyArray<ScoreAddition>
}

/** A user whose streaks have changed, from an instant on; null is from the beginning. */
export interface ChangedStreaks {
  readonly app_user_id: string
  readonly from: Date | null
}

/** Leaderboards of the lengths of streaks that have the same windows. */
export interface StreakBoards {
  readonly period: LeaderboardPeriod
  readonly boards: ReadonlyArray<BoardKey>
}

/** The score of a user in a window that was changed. */
export interface ChangedScore {
  readonly leaderboard_id: string
  readonly app_user_id: string
  readonly window_start: string
}

/** Which part of a leaderboard is read. */
export interface BoardQuery {
  readonly board: Pick<LeaderboardRow, "id" | "version" | "max_entries">
  readonly window_start: string
  readonly slice: Slice
  /** The user whose rank is told. */
  readonly caller: string | null
  /** Whether the page has the caller in its middle, where listed; the offset is not used then. Else from the top. */
  readonly around: boolean
}

/** An entry of a page. */
export interface ListedScore extends Omit<LeaderboardEntry, "leaderboard_id" | "window_start"> {
  readonly display_name: string
  readonly avatar_url: string | null
}

/** A page of a leaderboard as of one instant. */
export interface BoardPage {
  readonly rows: ReadonlyArray<ListedScore>
  readonly total: number
  readonly offset: number
  /** Null where the caller is not listed. */
  readonly me: { readonly rank: number | null; readonly score: number } | null
}

/** What of a leaderboard is read on. */
export interface BoardReading extends Pick<BoardQuery, "board" | "window_start" | "slice"> {
  /** The place after which the slice begins, whether or not there is an entry in it; null is before the first. */
  readonly after: Standing | null
}

/** Entries after a place, as of one instant. */
export interface BoardStretch {
  readonly rows: ReadonlyArray<ListedScore>
  /** How many entries the whole window has. */
  readonly total: number
  /** The place of the last row; null where there is none. */
  readonly last: Standing | null
}

/** Where a user stands in a window. */
export type UserStanding = Pick<LeaderboardEntry, "leaderboard_id" | "app_user_id" | "score" | "rank">

/**
 * The scores of users. Unique: leaderboard, version, window and user. Removed with their user or leaderboard. They are written
 * under the project's hold, by who has locked their users with `users.lockMany`; a user who is disabled is not listed from the
 * commit of that on. Scores are exact decimals.
 */
export interface LeaderboardScores {
  /** Adds to scores, and makes those that are missing; `reached_at` becomes the later one. Users who are gone are passed over. */
  add(groups: ReadonlyArray<ScoreAdditions>): Effect.Effect<void>
  /**
   * Makes the scores of users in leaderboards of streaks what their stored streaks and periods say: all windows from that of the
   * instant on, and all time. Answers those that were changed.
   */
  refreshStreaks(
    boards: ReadonlyArray<StreakBoards>,
    users: ReadonlyArray<ChangedStreaks>,
  ): Effect.Effect<ReadonlyArray<ChangedScore>>
  /**
   * Makes the scores of users in a leaderboard what the log says, without events that wait in the outbox or were set aside, and
   * without entries of XP that are not ranked.
   */
  rebuild(board: LeaderboardRow, userIds: ReadonlyArray<string>): Effect.Effect<void>
  /**
   * How many scores `rebuild` would change if it were called for all users, in one snapshot. Scores that work in the outbox is
   * still to write are not counted. A statement timeout where it takes more than 60 s.
   */
  countDifferences(board: LeaderboardRow): Effect.Effect<number>
  /** Up to `limit` users after `after` (null: from the first on), by id, locked like `users.lockMany`. */
  lockUsersAfter(after: string | null, limit: number): Effect.Effect<ReadonlyArray<string>>
  /** Removes up to `limit` scores of other versions. Answers whether there may be more. */
  removeStale(board: BoardKey, limit: number): Effect.Effect<boolean>
  /**
   * A page of a window: the highest score first, in a tie who reached it earlier, then the smaller id. Equal scores have one rank, and
   * the next has that of its place; beyond `max_entries` there is none. Who is disabled is not listed [G3.2, G3.5].
   */
  page(query: BoardQuery): Effect.Effect<BoardPage>
  /** A slice of the entries after a place, with the ranks that they have in the whole window. */
  listAfter(query: BoardReading): Effect.Effect<BoardStretch>
  /** Where users stand, by leaderboard, window and user. Those who are not listed are left out. */
  standings(keys: ReadonlyArray<ChangedScore>): Effect.Effect<ReadonlyArray<UserStanding>>
  /** All entries of a user, by leaderboard and window. */
  listByUser(userId: string): Effect.Effect<ReadonlyArray<LeaderboardEntry>>
}

/** What a project's database has for leaderboards. */
export interface LeaderboardsDb {
  readonly leaderboards: Table<LeaderboardRow>
  readonly leaderboardScores: LeaderboardScores
}
