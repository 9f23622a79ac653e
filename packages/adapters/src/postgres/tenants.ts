import type { Clock, TenantDb, Tenants } from "@hearth/core"
import { TenantUnavailable } from "@hearth/core"
import { Cause, Effect } from "effect"
import pg from "pg"
import { ConnectionLost } from "./connections/connection-lost.ts"
import type { Connections } from "./connections/connections.ts"
import { classifyFault } from "./connections/fault.ts"
import { inTransaction, pooledStatements } from "./connections/statements.ts"
import { sumUp } from "./feature.ts"
import { tenantParts } from "./features.ts"
import { lazyDb } from "./lazy-db.ts"
import type { Shapes } from "./schema/schema.ts"
import type { TenantDatabases } from "./schema/tenant-databases.ts"

/** What the tenants' adapter is made of. */
export interface TenantsParts {
  readonly connections: Connections
  readonly databases: TenantDatabases
  readonly shapes: Shapes
  readonly clock: Clock
  /** Databases that could not be migrated: they are not used. */
  readonly outdated: ReadonlySet<string>
  /** Called with the reason for which a project fails with `TenantUnavailable`. */
  readonly onUnavailable: (projectId: string, reason: unknown) => void
}

// A database with all of its repositories takes about 23 KB. Making it again takes microseconds.
const keptDbs = 500

/** Caches what `make` answered for a database. At the limit the oldest is removed. */
const keepDbs = <Db>(make: (database: string) => Db) => {
  const dbs = new Map<string, Db>()
  return {
    get: (database: string): Db => {
      const known = dbs.get(database)
      if (known !== undefined) return known
      const db = make(database)
      dbs.set(database, db)
      if (dbs.size > keptDbs) {
        const [oldest = ""] = dbs.keys()
        dbs.delete(oldest)
      }
      return db
    },
    forget: (database: string) => dbs.delete(database),
  }
}

/** Every project in a database of its own. */
export const makeTenants = ({
  connections,
  databases,
  shapes,
  clock,
  outdated,
  onUnavailable,
}: TenantsParts): Tenants<TenantDb> => {
  const makeDb = lazyDb<TenantDb>(sumUp(tenantParts.map(({ repositories }) => repositories)), shapes, clock)
  // Those of transactions are not cached: each belongs to one transaction.
  const readDbs = keepDbs((database) => makeDb(pooledStatements(connections, database)))

  const refused = (projectId: string, reason: unknown) =>
    Effect.suspend(() => {
      onUnavailable(projectId, reason)
      return Effect.fail(new TenantUnavailable())
    })

  /** Runs `use` with the database of a project; a connection to it that is lost on the way is a failure. */
  const withDatabase = <A, E>(projectId: string, use: (database: string) => Effect.Effect<A, E>) =>
    Effect.suspend(() => {
      const database = databases.nameOf(projectId)
      if (outdated.has(database)) return refused(projectId, new Error(`The schema of ${database} is out of date.`))
      return Effect.catchCause(use(database), (cause): Effect.Effect<never, E | TenantUnavailable> => {
        const lost = cause.reasons.filter(Cause.isDieReason).find(({ defect }) => isLostTo(database, defect))
        return lost === undefined ? Effect.failCause(cause) : refused(projectId, lost.defect)
      })
    })

  return {
    read: (projectId, work) => withDatabase(projectId, (database) => Effect.suspend(() => work(readDbs.get(database)))),
    transact: (projectId, work) =>
      withDatabase(projectId, (database) =>
        inTransaction(connections, database, (statements) => work(makeDb(statements))),
      ),
    faultOf: classifyFault,
    create: (projectId) => Effect.uninterruptible(Effect.promise(() => databases.create(projectId))),
    drop: (projectId) =>
      Effect.uninterruptible(
        Effect.promise(async () => {
          const database = databases.nameOf(projectId)
          readDbs.forget(database)
          await connections.forget(database)
          await databases.drop(projectId)
        }),
      ),
  }
}

// A database without tables was not made by `create`: treat it like a missing one.
const undefinedTable = "42P01"

const isLostTo = (database: string, defect: unknown) =>
  (defect instanceof ConnectionLost && defect.database === database) ||
  (defect instanceof pg.DatabaseError && defect.code === undefinedTable)
