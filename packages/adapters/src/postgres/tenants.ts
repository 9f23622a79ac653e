import type { Clock, TenantDb, TenantFailure, Tenants } from "@hearth/core"
import { isUuid, nilUuid, TenantBusy, TenantUnavailable } from "@hearth/core"
import { Cause, Effect } from "effect"
import { ConnectionLost } from "./connections/connection-lost.ts"
import type { Connections } from "./connections/connections.ts"
import { DatabaseBusy } from "./connections/database-busy.ts"
import { classifyFault } from "./connections/fault.ts"
import { pooledStatements } from "./connections/statements.ts"
import { inTransaction } from "./connections/transaction.ts"
import { sumUp } from "./feature.ts"
import { tenantParts } from "./features.ts"
import { lazyDb } from "./lazy-db.ts"
import type { FirstUse, Verdict } from "./schema/first-use.ts"
import type { Shapes } from "./schema/schema.ts"
import { readSqlState } from "./schema/server.ts"
import type { TenantDatabases } from "./schema/tenant-databases.ts"
import type { TenantSchemas } from "./schema/tenant-schemas.ts"

/** What the tenants' adapter is made of. */
export interface TenantsParts {
  readonly connections: Connections
  readonly databases: TenantDatabases
  readonly shapes: Shapes
  readonly clock: Clock
  readonly schemas: Pick<TenantSchemas, "setNote" | "forget">
  readonly firstUse: FirstUse
  /** Makes the loss of the control database, which is asked about a project's, what it is for callers. */
  readonly available: <A, E>(work: Effect.Effect<A, E>) => Effect.Effect<A, E>
  /** Called after each transaction that a project's database has committed. */
  readonly onCommitted: (projectId: string) => void
  /** Called with the reason for which a project fails with `TenantUnavailable`. */
  readonly onUnavailable: (projectId: string, reason: unknown) => void
}

// When a caller who was turned away may try again.
const busySeconds = 1
// Who reads what takes too long would only make it slower by asking again at once.
const slowSeconds = 30
const statementTimeout = "57014"

const mostDropped = 1_000
/** A database that cannot be used is warned of so often, not for every call: callers would fill the log. */
export const warnMillis = 60_000
const mostWarned = 1_000

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
  schemas,
  firstUse,
  available,
  onCommitted,
  onUnavailable,
}: TenantsParts): Tenants<TenantDb> => {
  const makeDb = lazyDb<TenantDb>(sumUp(tenantParts.map(({ repositories }) => repositories)), shapes, clock)
  // Those of transactions are not cached: each belongs to one transaction.
  const readDbs = keepDbs((database) => makeDb(pooledStatements(connections, database)))

  // What was under way in a project that this process has removed, or comes late, is no news to an operator.
  const dropped = new Set<string>()
  const isDropped = (projectId: string) => dropped.has(databases.nameOf(projectId))

  const warnedAt = new Map<string, number>()
  const warn = (projectId: string, reason: unknown) => {
    const [now, at] = [clock.now().getTime(), warnedAt.get(projectId)]
    if (isDropped(projectId) || (at !== undefined && Math.abs(now - at) < warnMillis)) return
    warnedAt.delete(projectId)
    warnedAt.set(projectId, now)
    for (const oldest of warnedAt.keys()) if (warnedAt.size > mostWarned) warnedAt.delete(oldest)
    onUnavailable(projectId, reason)
  }

  const refused = (projectId: string, reason: unknown) =>
    Effect.suspend((): Effect.Effect<never, TenantFailure> => {
      if (reason instanceof DatabaseBusy) {
        connections.noteRefused(reason)
        return Effect.fail(
          new TenantBusy({ retry_after_seconds: reason.reason === "time" ? slowSeconds : busySeconds }),
        )
      }
      warn(projectId, reason)
      const isUnknown = reason instanceof ConnectionLost && reason.commit === "unknown"
      return Effect.fail(new TenantUnavailable(isUnknown ? { outcome: "unknown" } : undefined))
    })

  /** The failure that a verdict is for the caller; null where the database may be used. */
  const refusalOf = (projectId: string, verdict: Verdict | null): Effect.Effect<never, TenantFailure> | null => {
    if (verdict === null || verdict.kind === "usable") return null
    if (verdict.kind === "gone") return refused(projectId, verdict.cause)
    return Effect.fail(new TenantBusy({ retry_after_seconds: Math.ceil(verdict.millis / 1000) }))
  }

  /** Runs `use` with the database of a project. Where it is too busy, or a connection is lost on the way, that is a failure. */
  const useDatabase = <A, E>(projectId: string, database: string, use: (database: string) => Effect.Effect<A, E>) =>
    Effect.catchCause(use(database), (cause): Effect.Effect<never, E | TenantFailure> => {
      const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
      const lost = defects.map((defect) => findLoss(database, defect)).find((loss) => loss !== undefined)
      if (lost !== undefined) return refused(projectId, lost)
      const wrong = defects.find((defect) => schemaErrors.has(readSqlState(defect) ?? ""))
      if (wrong === undefined) return Effect.failCause(cause)
      return Effect.flatMap(
        Effect.promise(() => firstUse.doubt(database)),
        (verdict): Effect.Effect<never, E | TenantFailure> => {
          const refusal = refusalOf(projectId, verdict)
          if (refusal !== null) return refusal
          // A table that is not there, where nothing is known to be missing: somebody has changed or replaced the database.
          return readSqlState(wrong) === undefinedTable ? refused(projectId, wrong) : Effect.failCause(cause)
        },
      )
    })

  /** Runs `use` once the database of a project is up to date. */
  const withDatabase = <A, E>(
    projectId: string,
    use: (database: string) => Effect.Effect<A, E>,
  ): Effect.Effect<A, E | TenantFailure> =>
    Effect.suspend(() => {
      if (!isUuid(projectId) || projectId === nilUuid) return Effect.fail(new TenantUnavailable())
      const database = databases.nameOf(projectId)
      const verdict = firstUse.check(database)
      if (verdict === null) return useDatabase(projectId, database, use)
      return Effect.flatMap(
        available(Effect.promise(() => verdict)),
        (found) => refusalOf(projectId, found) ?? useDatabase(projectId, database, use),
      )
    })

  /** Turns a statement that took too long into a refusal. Not in a transaction: there the dispatcher makes batches smaller. */
  const refuseSlow = <A, E>(database: string, read: Effect.Effect<A, E>) =>
    Effect.catchDefect(read, (defect) =>
      Effect.die(
        readSqlState(defect) === statementTimeout
          ? new DatabaseBusy(database, "time", "a statement took too long.", defect)
          : defect,
      ),
    )

  return {
    read: (projectId, work) =>
      withDatabase(projectId, (database) =>
        refuseSlow(
          database,
          Effect.suspend(() => work(readDbs.get(database))),
        ),
      ),
    transact: (projectId, work, options) =>
      withDatabase(projectId, (database) =>
        Effect.tap(
          inTransaction(connections, database, (statements) => work(makeDb(statements)), options),
          () => Effect.sync(() => onCommitted(projectId)),
        ),
      ),
    faultOf: classifyFault,
    create: (projectId) =>
      Effect.uninterruptible(
        Effect.promise(async () => schemas.setNote(databases.nameOf(projectId), await databases.create(projectId))),
      ),
    drop: (projectId) =>
      Effect.uninterruptible(
        Effect.promise(async () => {
          const database = databases.nameOf(projectId)
          dropped.add(database)
          for (const oldest of dropped) if (dropped.size > mostDropped) dropped.delete(oldest)
          readDbs.forget(database)
          await connections.forget(database)
          await databases.drop(projectId)
          schemas.forget(database)
        }),
      ),
  }
}

/** The loss that a defect is, or that a statement after it tells of; undefined where it is none of this database. */
const findLoss = (database: string, defect: unknown): ConnectionLost | DatabaseBusy | undefined => {
  if (defect instanceof ConnectionLost || defect instanceof DatabaseBusy)
    return defect.database === database ? defect : undefined
  return defect instanceof Error ? findLoss(database, defect.cause) : undefined
}

const undefinedTable = "42P01"

// A table, a column, a function, a unique key or a type that is not there: the schema may be another one than was noted.
const schemaErrors = new Set([undefinedTable, "42703", "42883", "42P10", "42704"])
