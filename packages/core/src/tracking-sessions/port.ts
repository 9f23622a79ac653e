import type { Effect, Option } from "effect"
import type { Table } from "../ports/table.ts"
import type { TrackingSessionRow } from "./tracking-session.ts"

/** The sessions of a project. Unique: (`app_user_id`, `session_id`). Removed with their user. */
export interface TrackingSessions extends Table<TrackingSessionRow> {
  /**
   * Writes a row, unless its user has one of its `session_id`. Answers whether it was written. The user is locked before; one
   * that another transaction is writing is waited for.
   */
  insertNew(row: TrackingSessionRow): Effect.Effect<boolean>
  /** The session of a user, locked until the transaction ends. */
  lockOf(userId: string, sessionId: string): Effect.Effect<Option.Option<TrackingSessionRow>>
  /**
   * The open sessions whose `check_at` is `now` or before, at most `limit`, the earliest first. Their users are locked against
   * removal, in the order of their ids, and after them the sessions, in that of theirs.
   */
  lockDue(now: Date, limit: number): Effect.Effect<ReadonlyArray<TrackingSessionRow>>
  /** Writes end, duration and `check_at` of rows that the caller has locked. */
  saveChecked(rows: ReadonlyArray<TrackingSessionRow>): Effect.Effect<void>
  /** The earliest `check_at` of an open session; null where none is open. */
  nextCheckAt(): Effect.Effect<Date | null>
}

/** What a project's database has for tracking sessions. */
export interface TrackingSessionsDb {
  readonly trackingSessions: TrackingSessions
}
