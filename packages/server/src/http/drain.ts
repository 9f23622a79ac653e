import { Server as HttpServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { setImmediate as afterPoll, setTimeout as wait } from "node:timers/promises"

/** What is known of a connection. */
interface Connection {
  readonly since: number
  /** When its last byte came or its last answer went, and how many bytes had come by then. */
  heardAt: number
  heard: number
  /** How many bytes had come when its last answer went. More than that is the beginning of another request. */
  answered: number
  /** Answers that are under way. */
  readonly open: Set<ServerResponse>
}

/** The connections of a server, which can be brought to an end. */
export interface Connections {
  /** Whether somebody waits on a connection for the answer, or the rest of it, to a request that has come as a whole. */
  isAnswering(socket: Socket): boolean
  /** How many requests of a connection are not answered in full yet. */
  countOpen(socket: Socket): number
  /**
   * Takes no new connections and resolves when none is left: after the answers under way, each of which says that it is the last
   * one. After `millis` it calls `onLate`, and soon after that it cuts what is left.
   */
  drain(millis: number, onLate: () => void): Promise<void>
}

// A new connection is given this long for its first bytes, or the next ones, which may be on the way.
const newMillis = 1_000
// An older one that was used is given this long for another request, which a client sends before it knows that we end.
const usedMillis = 500
// Connections that the kernel has taken for us are not ours yet. Closing the port now would reset them.
const acceptMillis = 100
// Of these a turn of the event loop takes one, and turns are long while there is much to do. Clients may go on connecting.
const mostAcceptMillis = 1_000
// The time for the answers that `onLate` gives.
const lateMillis = 250
const lookMillis = 25

/** Whether nothing can come of a connection any more that would have to be answered. */
const isIdle = ({ bytesRead }: Socket, { since, heardAt, heard, answered, open }: Connection): boolean => {
  if (open.size > 0 || bytesRead !== heard) return false
  const now = performance.now()
  if (now - since < newMillis) return false
  return bytesRead === 0 || (bytesRead === answered && now - heardAt >= usedMillis)
}

/** Ends a connection with the newest of its answers. The one that was the newest before goes without ending it. */
const markLast = ({ open }: Connection, marked: Set<ServerResponse>) => {
  const last = [...open].at(-1)
  for (const answer of open) if (marked.delete(answer)) answer.shouldKeepAlive = true
  if (last === undefined || !last.shouldKeepAlive) return
  last.shouldKeepAlive = false
  marked.add(last)
}

/** Watches the connections of a server from now on. */
export const watchConnections = (server: HttpServer): Connections => {
  const connections = new Map<Socket, Connection>()
  let accepted = 0
  let isDraining = false
  const marked = new Set<ServerResponse>()

  const hear = (socket: Socket, connection: Connection) => {
    if (socket.bytesRead === connection.heard) return
    connection.heard = socket.bytesRead
    connection.heardAt = performance.now()
  }

  server.on("connection", (socket: Socket) => {
    const now = performance.now()
    accepted += 1
    connections.set(socket, { since: now, heardAt: now, heard: 0, answered: 0, open: new Set() })
    socket.once("close", () => connections.delete(socket))
  })
  server.prependListener("request", ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const connection = connections.get(socket)
    if (connection === undefined) return
    connection.open.add(answer)
    answer.once("close", () => {
      connection.open.delete(answer)
      marked.delete(answer)
      connection.answered = connection.heard = socket.bytesRead
      connection.heardAt = performance.now()
    })
    if (isDraining) markLast(connection, marked)
  })

  const cutIdle = () => {
    for (const [socket, connection] of connections) {
      if (isIdle(socket, connection)) socket.destroy()
      else hear(socket, connection)
    }
  }

  /** Waits until no connection waits to be taken, for a second at most. */
  const acceptAll = async () => {
    const end = performance.now() + mostAcceptMillis
    for (let before = -1; before !== accepted && performance.now() < end; ) {
      before = accepted
      // A late event loop runs its timers before it takes connections.
      await afterPoll()
    }
  }

  return {
    isAnswering: (socket) =>
      [...(connections.get(socket)?.open ?? [])].some(({ headersSent, req }) => headersSent || req.complete),
    countOpen: (socket) => connections.get(socket)?.open.size ?? 0,
    drain: async (millis, onLate) => {
      isDraining = true
      for (const connection of connections.values()) markLast(connection, marked)
      const until = performance.now() + millis
      await wait(Math.min(acceptMillis, millis))
      await acceptAll()
      // Not the one of HTTP: it cuts every connection that has no request at this moment.
      NetServer.prototype.close.call(server)
      const waitUntil = async (end: number) => {
        for (cutIdle(); connections.size > 0 && performance.now() < end; cutIdle()) await wait(lookMillis)
      }
      await waitUntil(until)
      if (connections.size > 0) {
        onLate()
        await waitUntil(performance.now() + lateMillis)
      }
      for (const socket of connections.keys()) socket.destroy()
      HttpServer.prototype.close.call(server)
    },
  }
}
