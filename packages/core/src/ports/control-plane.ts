import type { Effect } from "effect"

/** The control database. `Db` is what can be touched there; a feature asks for the parts that it needs. */
export interface ControlPlane<Db> {
  /** Runs `work` outside of a transaction: each statement stands for itself and is committed when it answers. */
  read<A, E>(work: (db: Db) => Effect.Effect<A, E>): Effect.Effect<A, E>
  /**
   * Runs `work` in one transaction: all of it is committed when it succeeds, nothing when it fails, dies or is interrupted.
   * A `Duplicate` or a defect of a statement ends the transaction, as in PostgreSQL: work that goes on after it and succeeds dies.
   */
  transact<A, E>(work: (db: Db) => Effect.Effect<A, E>): Effect.Effect<A, E>
}
