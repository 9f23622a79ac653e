import { type Connection, type ConnectionSettings, connect } from "./connection.ts"
import { ConnectionLost } from "./connection-lost.ts"
import { makePool, type Pool, type Shared } from "./pool.ts"
import { makeSlots } from "./semaphore.ts"

/** How many connections there may be, and how long they wait. Times are in milliseconds. */
export interface ConnectionLimits {
  /** To all databases together. */
  readonly max: number
  readonly maxPerDatabase: number
  /** How long a connection that nobody uses is kept. */
  readonly idleMillis: number
  /** How long a caller waits for a connection. */
  readonly acquireMillis: number
}

/** What there is of connections. */
export interface ConnectionFigures {
  /** Databases with a connection, or with somebody waiting for one. */
  readonly databases: number
  readonly inUse: number
  readonly idle: number
  readonly waiting: number
}

/** Connections to many databases of one server under one bound. */
export interface Connections {
  /** A connection for the caller alone, until it is released. Rejects with `ConnectionLost`. */
  acquire(database: string): Promise<Connection>
  /** Takes a connection back. One that is broken, or still in a transaction, is closed. */
  release(connection: Connection): void
  /** Closes what nobody uses of a database. */
  forget(database: string): Promise<void>
  figures(): ConnectionFigures
  /** Refuses new callers and closes every connection, those in use when they come back. Waits for that, up to `acquireMillis`. */
  close(): Promise<void>
}

/**
 * A pool per database, all under one bound, because `max_connections` of the server knows no databases either. Beyond
 * it the connection that has been idle longest is closed, whosever it is, and then callers wait in line. A database
 * that nobody uses costs nothing: its pool goes with its last connection.
 */
export const makeConnections = (settings: ConnectionSettings, limits: ConnectionLimits): Connections => {
  const pools = new Map<string, Pool>()
  let isShut = false
  const shared: Shared = {
    slots: makeSlots(limits.max, () => {
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
    acquire: (database) => (isShut ? Promise.reject(shutDown(database)) : poolOf(database).acquire()),
    release: (connection) => poolOf(connection.database).release(connection),
    forget: async (database) => {
      pools.get(database)?.closeIdle()
      await Promise.all(shared.closing)
    },
    figures: () => {
      const waiting = [...pools.values()].reduce((sum, pool) => sum + pool.waiting(), 0)
      const idle = shared.idle.size
      return { databases: pools.size, inUse: shared.slots.taken() - idle, idle, waiting }
    },
    close: async () => {
      isShut = true
      for (const [database, pool] of pools) {
        pool.refuse(shutDown(database))
        pool.closeIdle()
      }
      await shared.slots.whenNoneTaken(limits.acquireMillis)
    },
  }
}
