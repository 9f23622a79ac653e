import type { Effect } from "effect"

/**
 * The control database. `Db` is the part of it that a feature uses. Work dies with `ServiceUnavailable` where it cannot be
 * reached or is too busy. With `details.outcome` "unknown" a commit was under way then, and may have happened.
 */
export interface ControlPlane<Db> {
  /** Runs `work` outside of a transaction: each statement commits by itself. */
  read<A, E>(work: (db: Db) => Effect.Effect<A, E>): Effect.Effect<A, E>
  /**
   * Runs `work` in one transaction, which commits when it succeeds and rolls back when it fails, dies or is interrupted.
   * A `Duplicate` or a defect of a statement aborts the transaction, as in PostgreSQL: work that catches it and succeeds dies.
   * Work that the database has rolled back for a deadlock is run again, up to three times in all, so it changes nothing but
   * the database. Others see its writes from the commit on. A statement of its `db` dies once the transaction has ended.
   */
  transact<A, E>(work: (db: Db) => Effect.Effect<A, E>): Effect.Effect<A, E>
}
