import type { Connection } from "./connection.ts"
import { ConnectionLost } from "./connection-lost.ts"
import type { Slots } from "./semaphore.ts"
import { makeWaitingLine } from "./waiting-line.ts"

/** What the pools of all databases share. */
export interface Shared {
  /** One for every connection that exists, or is being made or closed. */
  readonly slots: Slots
  /** The connections that nobody uses, and how to close each. The one that has been idle longest comes first. */
  readonly idle: Map<Connection, () => void>
  /** Connections on their way out. */
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
  /** Is told when there is neither a connection nor anybody waiting for one. */
  readonly onEmpty: () => void
}

/** The connections to one database. */
export interface Pool {
  acquire(): Promise<Connection>
  /** Takes a connection back. One that is broken, or still in a transaction, is closed. */
  release(connection: Connection): void
  closeIdle(): void
  /** Sends away whoever waits. */
  refuse(error: unknown): void
  waiting(): number
}

// A database under load hands its connections on among its own callers for this long before others get their turn;
// every such change costs two round trips and a process of the server.
const patienceMillis = 100

/** A pool without connections. */
export const makePool = (shared: Shared, parts: PoolParts): Pool => {
  const { slots } = shared
  const line = makeWaitingLine<Connection>()
  /** The connections that nobody uses, the one used last at the end, and when each is to be closed. */
  const idle = new Map<Connection, NodeJS.Timeout>()
  /** Connections that exist or are being made. */
  let open = 0
  let opening = 0

  const leave = () => {
    if (open === 0 && line.length() === 0) parts.onEmpty()
  }

  const gone = () => {
    open -= 1
    slots.give()
    leave()
  }

  const take = (connection: Connection) => {
    clearTimeout(idle.get(connection))
    idle.delete(connection)
    shared.idle.delete(connection)
  }

  const discard = (connection: Connection) => {
    take(connection)
    const end = connection.close().then(() => {
      shared.closing.delete(end)
      gone()
      grow()
    })
    shared.closing.add(end)
  }

  const release = (connection: Connection) => {
    const isWantedElsewhere =
      line.length() === 0 ? slots.pressure() > 0 : slots.pressure() > patienceMillis && shared.closing.size === 0
    if (shared.isShut() || !connection.isFresh() || isWantedElsewhere) discard(connection)
    else if (!line.serve(connection)) {
      idle.set(connection, setTimeout(discard, parts.idleMillis, connection))
      shared.idle.set(connection, () => discard(connection))
    }
  }

  const lost = (connection: Connection) => {
    if (idle.has(connection)) discard(connection)
  }

  const grow = () => {
    while (opening < line.length() && open < parts.max) {
      open += 1
      opening += 1
      void connect()
    }
  }

  const connect = async () => {
    await slots.take()
    try {
      // By now the callers may have been served with connections that came back.
      const connection = line.length() === 0 ? null : await parts.connect(lost)
      opening -= 1
      if (connection === null) gone()
      else release(connection)
    } catch (error) {
      opening -= 1
      // Where others are open, the callers wait for those: the next one that comes back is theirs.
      if (open - opening === 1) line.refuse(error)
      gone()
    }
  }

  const late = () => {
    leave()
    return new ConnectionLost(parts.database, `no connection became free within ${parts.acquireMillis} ms`)
  }

  return {
    acquire: () => {
      const connection = [...idle.keys()].at(-1)
      if (connection === undefined) {
        const turn = line.join(parts.acquireMillis, late)
        grow()
        return turn
      }
      take(connection)
      return Promise.resolve(connection)
    },
    release,
    closeIdle: () => {
      for (const connection of [...idle.keys()]) discard(connection)
    },
    refuse: line.refuse,
    waiting: line.length,
  }
}
