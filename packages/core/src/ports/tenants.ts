import type { Effect } from "effect"
import type { TenantFailure } from "../failure.ts"

/**
 * What kind of defect ended a piece of work. `fault`: caused by the code or its data; it will happen again. `timeout`: a
 * statement took too long. `passing`: a lost connection, a deadlock, a lock timeout, a full disk or a schema mismatch; not
 * caused by the data.
 */
export type FaultKind = "fault" | "timeout" | "passing"

/**
 * What a transaction may wait for. `hold`: the project's hold; one at a time in a process. `rows`: rows that others have locked.
 * `none`: nothing that anybody keeps for long, as for plain inserts; it gets through though all the others wait.
 */
export type Locks = "hold" | "rows" | "none"

/** How a transaction of a project is run. */
export interface TransactionOptions {
  /** `rows` where left out. Say `hold` for work that takes the hold: it gets its turn before it takes a connection. */
  readonly locks?: Locks
  /**
   * Whether a write whose answer nobody needs is waited for, so that it is known which one has failed. Without it the next
   * statement or the commit fails, and the database works while its caller goes on.
   */
  readonly waits?: boolean
}

/**
 * The databases of the projects. The project is always an argument, never ambient. Work fails with `TenantUnavailable` where a
 * database is not there or cannot be reached, and with `TenantBusy` where it is too busy; nothing was changed then, but for what statements
 * outside of a transaction had done. Of an id that no project has, or that is none, work is not begun: `TenantUnavailable`. Ids
 * are the same in capitals. `Db` is the part of a database that a feature uses.
 */
export interface Tenants<Db> {
  /** Runs `work` outside of a transaction: each statement commits by itself. */
  read<A, E>(projectId: string, work: (db: Db) => Effect.Effect<A, E>): Effect.Effect<A, E | TenantFailure>
  /**
   * Runs `work` in one transaction, which commits when it succeeds and rolls back when it fails, dies or is interrupted.
   * A `Duplicate` or a defect of a statement aborts the transaction, as in PostgreSQL: work that catches it and succeeds dies.
   * Work that the database has rolled back for a deadlock is run again, up to three times in all, so it changes nothing but
   * the database. Others see its writes from the commit on. A statement of its `db` dies once the transaction has ended.
   * `TenantUnavailable` with `details.outcome` "unknown" means that it may have been committed.
   */
  transact<A, E>(
    projectId: string,
    work: (db: Db) => Effect.Effect<A, E>,
    options?: TransactionOptions,
  ): Effect.Effect<A, E | TenantFailure>
  /** The kind of a defect that `read` or `transact` died with. */
  faultOf(defect: unknown): FaultKind
  /**
   * Creates a project's database, empty and migrated. Dies when it exists. A failure leaves no database [C2]. A few are
   * created at once, and callers wait for that without a connection. Dies with `ServiceUnavailable` without the control database.
   */
  create(projectId: string): Effect.Effect<void>
  /** Removes a project's database. Does nothing when there is none. Waits like `create`. */
  drop(projectId: string): Effect.Effect<void>
}
