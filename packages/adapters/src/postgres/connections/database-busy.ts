import pg from "pg"
import { ConnectionLost } from "./connection-lost.ts"

/**
 * Why a caller was turned away. `line`: too many wait for a turn, or this one waited too long. `connection`: none became free.
 * `lock`: a lock was not free within `lock_timeout`. `deadlock`: rolled back for a deadlock, at every try. `time`: a statement of a
 * read was ended, because it took longer than a statement may. `space`: the disk or the memory of the server is full.
 * `read-only`: the server takes no writes.
 */
export type BusyReason = "line" | "connection" | "lock" | "deadlock" | "time" | "space" | "read-only"

/** The database is too busy for a call, which has changed nothing. `makeTenants` turns this defect into `TenantBusy`. */
export class DatabaseBusy extends Error {
  override readonly name = "DatabaseBusy"
  readonly database: string
  readonly reason: BusyReason
  constructor(database: string, reason: BusyReason, message: string, cause?: unknown) {
    super(
      reason === "space"
        ? `No space is left for the database ${database}: ${message}`
        : `The database ${database} is busy: ${message}`,
      { cause },
    )
    this.database = database
    this.reason = reason
  }
}

const lockNotAvailable = "55P03"
const tooManyConnections = "53300"
const noSpace = new Set(["53100", "53200"])
// As of a server that has become a replica, or was told to take no writes for a while.
const readOnly = "25006"
// A deadlock, and a transaction that would not have been serializable.
const rolledBack = new Set(["40P01", "40001"])

/** The `DatabaseBusy` for an error of the driver that says so; null for any other error. */
export const readBusy = (database: string, error: unknown): DatabaseBusy | null => {
  if (!(error instanceof pg.DatabaseError)) return null
  if (error.code === lockNotAvailable) return new DatabaseBusy(database, "lock", error.message, error)
  if (noSpace.has(error.code ?? "")) return new DatabaseBusy(database, "space", error.message, error)
  if (error.code === readOnly) return new DatabaseBusy(database, "read-only", error.message, error)
  if (error.code === tooManyConnections) return new DatabaseBusy(database, "connection", error.message, error)
  return null
}

const featureNotSupported = "0A000"

/** Whether a prepared statement failed because a migration has changed what it answers. A connection made anew runs it. */
export const isPlanChange = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === featureNotSupported && error.routine === "RevalidateCachedQuery"

const noSuchStatement = "26000"

/** Whether a prepared statement was not there, because another that was sent before it could not prepare it. */
export const isUnprepared = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === noSuchStatement

const uniqueViolation = "23505"

// A release of before 2026-11-22 claims the key of an idempotent call by its row, and does not take the lock. It is there by now, with its
// answer, and is found when the call is run again.
const isClaimedElsewhere = ({ code, constraint }: pg.DatabaseError): boolean =>
  code === uniqueViolation && constraint === "idempotent_answers_pkey"

/** Whether everything was rolled back for a reason that passes, so that the same may be tried again at once. */
export const isRolledBack = (error: unknown): boolean => {
  if (error instanceof ConnectionLost) return error.commit === "rolled back"
  if (error instanceof DatabaseBusy) return false
  if (error instanceof pg.DatabaseError)
    return rolledBack.has(error.code ?? "") || isPlanChange(error) || isClaimedElsewhere(error)
  // A statement after the one that failed.
  return error instanceof Error && isRolledBack(error.cause)
}

/** So often is run what is rolled back for a reason that passes. */
export const mostTries = 3

/** The defect for what was rolled back at every try. */
export const stillRolledBack = (database: string, error: unknown): unknown =>
  error instanceof ConnectionLost
    ? error
    : new DatabaseBusy(database, "deadlock", `rolled back for a deadlock ${mostTries} times`, error)
