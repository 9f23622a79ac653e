import { type Connection, type ConnectionSettings, connect } from "./connection.ts"
import { ConnectionLost } from "./connection-lost.ts"
import type { BusyReason, DatabaseBusy } from "./database-busy.ts"
import { type Gate, makeGate } from "./gate.ts"
import { makePool, type Pool, type Shared } from "./pool.ts"
import { makeSemaphore } from "./semaphore.ts"

/** How many connections there may be, and how long they wait. Times are in milliseconds. */
export interface ConnectionLimits {
  /** To all databases together. */
  readonly max: number
  readonly maxPerDatabase: number
  /** How long an idle connection is kept. */
  readonly idleMillis: number
  /** How long a caller waits for its turn, and then for a connection. */
  readonly acquireMillis: number
  /** How long to ask, on other connections, for the outcome of a write whose connection was lost. Default: 5 s. */
  readonly confirmMillis?: number
  /** Whether a database that is missing was removed, so that nobody has to ask for an outcome any more. Default: none was. */
  readonly isRemoved?: (database: string) => Promise<boolean>
  /** Called for each call that was turned away. */
  readonly onRefused?: (busy: DatabaseBusy) => void
}

/** How many connections there are, and what they do. */
export interface ConnectionFigures {
  /** Databases with a connection, or with a caller who waits for one. */
  readonly databases: number
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
}

/** Who waits without a connection, and who was turned away. */
export interface LineFigures {
  /** Callers who wait for their turn. */
  readonly inLine: number
  /** How many calls were turned away since the start, by reason. */
  readonly refused: Readonly<Record<BusyReason, number>>
}

/** Connections to many databases of one server, of which there are at most so many together. */
export interface Connections {
  /** Waits for a turn, which every caller needs before `acquire`. */
  readonly enter: Gate["enter"]
  /** A connection for the caller alone, until it is released. Rejects with `ConnectionLost` or `DatabaseBusy`. */
  acquire(database: string): Promise<Connection>
  /** Takes a connection back. One that is broken, or still in a transaction, is closed. */
  release(connection: Connection): void
  /** Closes the idle connections to a database. */
  forget(database: string): Promise<void>
  /** How long to ask for the outcome of a write whose connection was lost. */
  readonly confirmMillis: number
  /** Whether a database that is missing was removed for good. */
  readonly isRemoved: (database: string) => Promise<boolean>
  /** Counts a call that was turned away. */
  noteRefused(busy: DatabaseBusy): void
  figures(): ConnectionFigures
  lines(): LineFigures
  /** Refuses new callers and closes every connection, those in use when they are released. Waits up to `acquireMillis`. */
  close(): Promise<void>
}

/**
 * A pool per database and one limit for all of them, because `max_connections` of the server is for all databases too.
 * At the limit the connection that has been idle longest is closed, to whichever database; if none is idle, callers
 * wait. A database without connections costs nothing: its pool is removed with the last of them.
 */
export const makeConnections = (settings: ConnectionSettings, limits: ConnectionLimits): Connections => {
  const pools = new Map<string, Pool>()
  const refused: Record<BusyReason, number> = {
    line: 0,
    connection: 0,
    lock: 0,
    deadlock: 0,
    time: 0,
    space: 0,
    "read-only": 0,
  }
  let isShut = false
  const gate = makeGate({ ...limits, waitMillis: limits.acquireMillis })
  const shared: Shared = {
    permits: makeSemaphore(limits.max, () => {
      const [closeOldest] = shared.idle.values()
      closeOldest?.()
    }),
    idle: new Map(),
    closing: new Set(),
    isShut: () => isShut,
  }

  const poolOf = (database: string): Pool => {
    const known = pools.get(database)
    if (known !== undefined) return known
    const pool = makePool(shared, {
      database,
      max: limits.maxPerDatabase,
      idleMillis: limits.idleMillis,
      acquireMillis: limits.acquireMillis,
      connect: (onLost) => connect(settings, database, onLost),
      onEmpty: () => pools.delete(database),
    })
    pools.set(database, pool)
    return pool
  }

  const shutDown = (database: string) => new ConnectionLost(database, "the service is shutting down")

  return {
    enter: gate.enter,
    confirmMillis: limits.confirmMillis ?? 5_000,
    isRemoved: limits.isRemoved ?? (async () => false),
    acquire: (database) => (isShut ? Promise.reject(shutDown(database)) : poolOf(database).acquire()),
    release: (connection) => poolOf(connection.database).release(connection),
    forget: async (database) => {
      pools.get(database)?.closeIdle()
      await Promise.all(shared.closing)
    },
    noteRefused: (busy) => {
      refused[busy.reason] += 1
      limits.onRefused?.(busy)
    },
    figures: () => {
      const waiting = [...pools.values()].reduce((sum, pool) => sum + pool.waiting(), 0)
      const idle = shared.idle.size
      return { databases: pools.size, inUse: shared.permits.acquired() - idle, idle, waiting }
    },
    lines: () => ({ inLine: gate.waiting(), refused: { ...refused } }),
    close: async () => {
      isShut = true
      for (const [database, pool] of pools) {
        pool.refuse(shutDown(database))
        pool.closeIdle()
      }
      await shared.permits.whenAllReleased(limits.acquireMillis)
    },
  }
}
