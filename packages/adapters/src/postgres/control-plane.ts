import { type Clock, type ControlDb, type ControlPlane, ServiceUnavailable } from "@hearth/core"
import { Cause, Effect } from "effect"
import { ConnectionLost } from "./connections/connection-lost.ts"
import type { Connections } from "./connections/connections.ts"
import { DatabaseBusy } from "./connections/database-busy.ts"
import { pooledStatements } from "./connections/statements.ts"
import { inTransaction } from "./connections/transaction.ts"
import { sumUp } from "./feature.ts"
import { controlParts } from "./features.ts"
import { lazyDb } from "./lazy-db.ts"
import type { Shapes } from "./schema/schema.ts"

/** What the control plane is made of. */
export interface ControlPlaneParts {
  readonly connections: Connections
  readonly database: string
  readonly shapes: Shapes
  readonly clock: Clock
  /** Called with the reason for which it cannot be reached. */
  readonly onUnavailable: (reason: unknown) => void
}

// When a caller who was turned away may try again.
const busySeconds = 1

/**
 * Makes the loss of a connection to the control database, or that it is too busy, which are defects, `ServiceUnavailable`. Another
 * database's stay as they are.
 */
export const makeAvailability =
  ({ connections, database, onUnavailable }: Pick<ControlPlaneParts, "connections" | "database" | "onUnavailable">) =>
  <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.catchCause(work, (cause) => {
      const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
      const isOurs = (defect: unknown): defect is ConnectionLost | DatabaseBusy =>
        (defect instanceof ConnectionLost || defect instanceof DatabaseBusy) && defect.database === database
      const found = defects.find(isOurs)
      if (found === undefined) return Effect.failCause(cause)
      if (found instanceof DatabaseBusy) {
        connections.noteRefused(found)
        return Effect.die(new ServiceUnavailable({ retry_after_seconds: busySeconds }))
      }
      onUnavailable(found)
      return Effect.die(new ServiceUnavailable(found.commit === "unknown" ? { outcome: "unknown" } : undefined))
    })

/** The control plane in one database. */
export const makeControlPlane = (parts: ControlPlaneParts): ControlPlane<ControlDb> => {
  const { connections, database, shapes, clock } = parts
  const makeDb = lazyDb<ControlDb>(sumUp(controlParts.map(({ repositories }) => repositories)), shapes, clock)
  const db = makeDb(pooledStatements(connections, database))
  const available = makeAvailability(parts)
  return {
    read: (work) => available(Effect.suspend(() => work(db))),
    transact: (work) => available(inTransaction(connections, database, (statements) => work(makeDb(statements)))),
  }
}
