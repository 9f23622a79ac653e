import { type Clock, type ControlDb, type ControlPlane, ServiceUnavailable } from "@hearth/core"
import { Cause, Effect } from "effect"
import { ConnectionLost } from "./connections/connection-lost.ts"
import type { Connections } from "./connections/connections.ts"
import { inTransaction, pooledStatements } from "./connections/statements.ts"
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

/** Makes the loss of a connection to the control database, a defect, `ServiceUnavailable`. Another database's stays as it is. */
export const makeAvailability =
  ({ database, onUnavailable }: Pick<ControlPlaneParts, "database" | "onUnavailable">) =>
  <A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    Effect.catchCause(work, (cause) => {
      const lost = cause.reasons
        .filter(Cause.isDieReason)
        .find(({ defect }) => defect instanceof ConnectionLost && defect.database === database)
      if (lost === undefined) return Effect.failCause(cause)
      onUnavailable(lost.defect)
      return Effect.die(new ServiceUnavailable())
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
