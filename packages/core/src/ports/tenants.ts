import type { Effect } from "effect"
import type { TenantUnavailable } from "../failure.ts"

/**
 * What sort of defect ended a piece of work. `fault`: of the code or of the data that it met, and it will come again. `timeout`: a
 * statement took too long. `passing`: a lost connection, a deadlock, a lock that was not granted, a full disk, a schema that does
 * not fit: nothing that the data could be blamed for.
 */
export type FaultKind = "fault" | "timeout" | "passing"

/**
 * The databases of the projects. The project is always an argument, never ambient. `Db` is what can be touched there; a
 * feature asks for the parts that it needs.
 */
export interface Tenants<Db> {
  /** Runs `work` outside of a transaction: each statement stands for itself and is committed when it answers. */
  read<A, E>(projectId: string, work: (db: Db) => Effect.Effect<A, E>): Effect.Effect<A, E | TenantUnavailable>
  /**
   * Runs `work` in one transaction: all of it is committed when it succeeds, nothing when it fails, dies or is interrupted.
   * A `Duplicate` or a defect of a statement ends the transaction, as in PostgreSQL: work that goes on after it and succeeds dies.
   */
  transact<A, E>(projectId: string, work: (db: Db) => Effect.Effect<A, E>): Effect.Effect<A, E | TenantUnavailable>
  /** What sort of defect it is that `read` or `transact` died of. */
  faultOf(defect: unknown): FaultKind
  /** Makes a project's database, empty and migrated. One that is there is an error; a failure leaves none behind [C2]. */
  create(projectId: string): Effect.Effect<void>
  /** Removes a project's database. Nothing happens where there is none. */
  drop(projectId: string): Effect.Effect<void>
}
