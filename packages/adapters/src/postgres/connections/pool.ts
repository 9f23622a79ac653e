import type { Connection } from "./connection.ts"
import { ConnectionLost } from "./connection-lost.ts"
import { DatabaseBusy } from "./database-busy.ts"
import type { Semaphore } from "./semaphore.ts"
import { makeWaitQueue } from "./wait-queue.ts"

/** What the pools of all databases share. */
export interface Shared {
  /** One permit for every connection that exists, or is being made or closed. */
  readonly permits: Semaphore
  /** The idle connections, and how to close each. The one that has been idle longest comes first. */
  readonly idle: Map<Connection, () => void>
  /** Connections that are being closed. */
  readonly closing: Set<Promise<void>>
  readonly isShut: () => boolean
}

/** One database's pool. Times are in milliseconds. */
export interface PoolParts {
  readonly database: string
  readonly max: number
  readonly idleMillis: number
  readonly acquireMillis: number
  readonly connect: (onLost: (connection: Connection) => void) => Promise<Connection>
  /** Called when there is neither a connection nor a caller who waits for one. */
  readonly onEmpty: () => void
}

/** The connections to one database. */
export interface Pool {
  acquire(): Promise<Connection>
  /** Takes a connection back. One that is broken, or still in a transaction, is closed. */
  release(connection: Connection): void
  closeIdle(): void
  /** Rejects every caller who waits. */
  refuse(error: unknown): void
  waiting(): number
}

// A busy database passes its connections on to its own callers for this long before another database gets one: to
// close one connection and open another costs two round trips and a process of the server.
const handOverMillis = 100

/** A pool without connections. */
export const makePool = (shared: Shared, parts: PoolParts): Pool => {
  const { permits } = shared
  const queue = makeWaitQueue<Connection>()
  /** The idle connections, the one used last at the end, and the timer that closes each. */
  const idle = new Map<Connection, NodeJS.Timeout>()
  /** Connections that exist or are being made. */
  let open = 0
  let opening = 0

  const reportEmpty = () => {
    if (open === 0 && queue.length() === 0) parts.onEmpty()
  }

  const releasePermit = () => {
    open -= 1
    permits.release()
    reportEmpty()
  }

  const removeIdle = (connection: Connection) => {
    clearTimeout(idle.get(connection))
    idle.delete(connection)
    shared.idle.delete(connection)
  }

  const discard = (connection: Connection) => {
    removeIdle(connection)
    const end = connection.close().then(() => {
      shared.closing.delete(end)
      releasePermit()
      grow()
    })
    shared.closing.add(end)
  }

  const release = (connection: Connection) => {
    const isWantedElsewhere =
      queue.length() === 0
        ? permits.waitingMillis() > 0
        : permits.waitingMillis() > handOverMillis && shared.closing.size === 0
    if (shared.isShut() || !connection.isFresh() || isWantedElsewhere) discard(connection)
    else if (!queue.serve(connection)) {
      idle.set(connection, setTimeout(discard, parts.idleMillis, connection))
      shared.idle.set(connection, () => discard(connection))
    }
  }

  const onLost = (connection: Connection) => {
    if (idle.has(connection)) discard(connection)
  }

  const grow = () => {
    while (opening < queue.length() && open < parts.max) {
      open += 1
      opening += 1
      void connect()
    }
  }

  const connect = async () => {
    await permits.acquire()
    try {
      // By now the callers may have got connections that were released.
      const connection = queue.length() === 0 ? null : await parts.connect(onLost)
      opening -= 1
      if (connection === null) releasePermit()
      else release(connection)
    } catch (error) {
      opening -= 1
      // Where others are open, the callers wait for one of those to be released.
      if (open - opening === 1) queue.rejectAll(error)
      releasePermit()
    }
  }

  const timedOut = () => {
    const message = `no connection became free within ${parts.acquireMillis} ms`
    // Where none has been made although there is room for one, the server does not answer.
    const isUnanswered = open > 0 && open === opening && permits.waitingMillis() === 0
    reportEmpty()
    return isUnanswered
      ? new ConnectionLost(parts.database, message)
      : new DatabaseBusy(parts.database, "connection", message)
  }

  return {
    acquire: () => {
      const connection = [...idle.keys()].at(-1)
      if (connection === undefined) {
        const turn = queue.wait(parts.acquireMillis, timedOut)
        grow()
        return turn
      }
      removeIdle(connection)
      return Promise.resolve(connection)
    },
    release,
    closeIdle: () => {
      for (const connection of [...idle.keys()]) discard(connection)
    },
    refuse: queue.rejectAll,
    waiting: queue.length,
  }
}
