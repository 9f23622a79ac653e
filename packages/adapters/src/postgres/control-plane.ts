import type { Clock, ControlDb, ControlPlane } from "@hearth/core"
import { Effect } from "effect"
import type { Connections } from "./connections/connections.ts"
import { inTransaction, pooledStatements } from "./connections/statements.ts"
import { sumUp } from "./feature.ts"
import { controlParts } from "./features.ts"
import { lazyDb } from "./lazy-db.ts"
import type { Shapes } from "./schema/schema.ts"

/** The control plane in one database. A connection that is lost is a defect. */
export const makeControlPlane = (
  connections: Connections,
  database: string,
  shapes: Shapes,
  clock: Clock,
): ControlPlane<ControlDb> => {
  const makeDb = lazyDb<ControlDb>(sumUp(controlParts.map(({ repositories }) => repositories)), shapes, clock)
  const db = makeDb(pooledStatements(connections, database))
  return {
    read: (work) => Effect.suspend(() => work(db)),
    transact: (work) => inTransaction(connections, database, (statements) => work(makeDb(statements))),
  }
}
