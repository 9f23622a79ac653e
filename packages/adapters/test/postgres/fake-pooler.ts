import type { AddressInfo } from "node:net"
import { createServer, type Socket } from "node:net"
import pg from "pg"

/** What a pooler gives out: a session for each transaction or for the whole connection, and the free one that it takes. */
export interface PoolerOptions {
  readonly mode: "transaction" | "session"
  /** The most sessions at the server. */
  readonly size: number
  /** Which free session is given out: the one used last, as PgBouncer does, the one used first, or any. */
  readonly order?: "last" | "first" | "any"
  /** Refuses parameters of a session, as PgBouncer does unless it is told to ignore them. */
  readonly refusesParameters?: boolean
}

/** A pooler in front of a server. */
export interface FakePooler {
  readonly url: string
  close(): Promise<void>
}

/** A session at the server, authenticated by the driver; from then on only its bytes are passed on. */
interface Session {
  readonly socket: Socket
  readonly end: () => void
}

const message = (type: string, body: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(type, 0, "latin1")
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

const int32 = (...values: ReadonlyArray<number>) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeInt32BE(value, at * 4)
  return bytes
}

const ready = message("Z", Buffer.from("I"))
const welcome = Buffer.concat([message("R", int32(0)), message("K", int32(1, 1)), ready])
const refusal = message(
  "E",
  Buffer.from("SFATAL\0VFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0"),
)

/** Splits bytes into messages; the first one of a client has no type. */
const makeReader = (onMessage: (type: string, bytes: Buffer) => void, hasStartup: boolean) => {
  let waiting: Buffer = Buffer.alloc(0)
  let isStartup = hasStartup
  return (bytes: Buffer) => {
    waiting = Buffer.concat([waiting, bytes])
    for (;;) {
      const at = isStartup ? 0 : 1
      if (waiting.length < at + 4) return
      const length = at + waiting.readInt32BE(at)
      if (waiting.length < length) return
      const whole = waiting.subarray(0, length)
      waiting = waiting.subarray(length)
      const type = isStartup ? "startup" : String.fromCharCode(whole[0] ?? 0)
      isStartup = false
      onMessage(type, whole)
    }
  }
}

/** Sessions at the server, per database. */
const makeSessions = (url: string, { size, order = "last" }: PoolerOptions) => {
  const free = new Map<string, Array<Session>>()
  const counts = new Map<string, number>()
  const queue: Array<{ readonly database: string; readonly resolve: (session: Session) => void }> = []
  const all: Array<Session> = []
  const open = async (database: string): Promise<Session> => {
    const client = new pg.Client({ connectionString: Object.assign(new URL(url), { pathname: `/${database}` }).href })
    await client.connect()
    const socket = (client as unknown as { connection: { stream: Socket } }).connection.stream
    socket.setNoDelay(true)
    socket.removeAllListeners()
    socket.on("error", () => {})
    const session = { socket, end: () => socket.destroy() }
    all.push(session)
    return session
  }
  return {
    take: async (database: string): Promise<Session> => {
      const idle = free.get(database) ?? []
      free.set(database, idle)
      const at = order === "last" ? idle.length - 1 : order === "first" ? 0 : Math.floor(Math.random() * idle.length)
      const [found] = idle.splice(at, 1)
      if (found !== undefined && (order === "last" || (counts.get(database) ?? 0) >= size)) return found
      if (found !== undefined) idle.push(found)
      if ((counts.get(database) ?? 0) >= size) return new Promise((resolve) => queue.push({ database, resolve }))
      counts.set(database, (counts.get(database) ?? 0) + 1)
      return open(database)
    },
    giveBack: (database: string, session: Session) => {
      const next = queue.findIndex((waiter) => waiter.database === database)
      if (next === -1) free.get(database)?.push(session)
      else queue.splice(next, 1)[0]?.resolve(session)
    },
    end: () => {
      for (const { end } of all) end()
    },
  }
}

/** Starts a pooler in front of the server of `url`. It speaks as much of the protocol as a driver needs that trusts it. */
export const startPooler = async (url: string, options: PoolerOptions): Promise<FakePooler> => {
  const sessions = makeSessions(url, options)
  const clients = new Set<Socket>()
  const server = createServer({ noDelay: true }, (client) => {
    clients.add(client)
    let database = ""
    let held: Promise<Session> | null = null
    const release = (session: Session) => {
      session.socket.removeAllListeners("data")
      held = null
      sessions.giveBack(database, session)
    }
    const take = async () => {
      const session = await sessions.take(database)
      const read = makeReader((type, bytes) => {
        client.write(bytes)
        const isIdle = type === "Z" && bytes[5] === "I".charCodeAt(0)
        if (isIdle && options.mode === "transaction") release(session)
      }, false)
      session.socket.on("data", read)
      return session
    }
    const start = (bytes: Buffer) => {
      const words = bytes.subarray(8).toString().split("\0")
      database = words[words.indexOf("database") + 1] ?? ""
      const hasParameters = words.includes("statement_timeout")
      if (options.refusesParameters === true && hasParameters) return void client.end(refusal)
      client.write(welcome)
    }
    client.on(
      "data",
      makeReader((type, bytes) => {
        if (type === "startup") return start(bytes)
        // Terminate ends the client, never the session of the server.
        if (type === "X") return void client.end()
        held ??= take()
        void held.then(({ socket }) => socket.write(bytes))
      }, true),
    )
    client.on("error", () => {})
    client.on("close", () => {
      clients.delete(client)
      void held?.then(({ end }) => end())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    close: () =>
      new Promise((resolve) => {
        for (const client of clients) client.destroy()
        sessions.end()
        server.close(() => resolve())
      }),
  }
}
