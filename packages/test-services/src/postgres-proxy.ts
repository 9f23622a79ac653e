import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/**
 * Where a connection is cut. `before`: what was sent does not reach the server, whose side is cut too. `after`: the server has
 * done it, its answer does not reach the client. `sent`: it reaches the server, and nobody waits for the answer. `stalled`: it
 * does not reach the server, which does not learn that its client is gone.
 */
export type Cut = "before" | "after" | "sent" | "stalled"

/** A TCP proxy in front of a PostgreSQL, for faults between a statement and its answer. */
export interface PostgresProxy {
  /** The address of a server, through the proxy. */
  through(url: string): string
  /** Cuts the next connection, to `database` where it is given, on which a client sends `marker`. Resolves when it has. */
  cutAt(marker: string, where: Cut, database?: string): Promise<void>
  /** From the next time on that a client sends `marker`, nothing of that connection is passed on. Resolves when it was sent. */
  stallAt(marker: string): Promise<void>
  /**
   * From the message of this number on that clients send to a database, of all its connections together, nothing is passed on to
   * anybody: what a process sends that dies there. Resolves when it was sent. `release` ends it.
   */
  holdAt(database: string, message: number): { readonly reached: Promise<void>; readonly release: () => void }
  /** Begins to note the statements that clients prepare, by connection. Answers what reads them. */
  listStatements(): () => ReadonlyArray<ReadonlyArray<string>>
  /** From now on new connections are refused, or not. */
  refuse(isRefusing: boolean): void
  /** Cuts every connection, and refuses new ones. */
  cutOff(): void
  close(): Promise<void>
}

interface Trap {
  readonly marker: string
  readonly where: Cut | "silent"
  readonly database?: string | undefined
  readonly sprung: () => void
}

interface Hold {
  readonly database: string
  /** How many messages are to come until it begins. */
  left: number
  readonly reached: () => void
}

// A message `Parse`: its length, the name of the statement, its text.
const parsed = /P[\s\S]{4}[^\0]*\0(\s*(?:select|with|insert|update|delete)\b[^\0]*)\0/g

/** Passes `client` on to the server, until its trap is sprung. */
const passOn = (
  client: Socket,
  server: Socket,
  takeTrap: (sent: Buffer, database: string) => Trap | undefined,
  isHeld: (sent: Buffer, database: string) => boolean,
) => {
  let database: string | null = null
  let isCut = false
  let dropsAnswer: Trap | undefined
  const cut = ({ sprung, where }: Trap) => {
    isCut = true
    if (where !== "silent") client.destroy()
    if (where === "before" || where === "after") server.destroy()
    sprung()
  }
  client.on("data", (sent) => {
    // The first message says to which one.
    database ??= /database\0([^\0]+)\0/.exec(sent.toString("latin1"))?.[1] ?? ""
    if (isCut || isHeld(sent, database)) return
    const trap = dropsAnswer === undefined ? takeTrap(sent, database) : undefined
    if (trap === undefined) server.write(sent)
    else if (trap.where === "after") {
      dropsAnswer = trap
      server.write(sent)
    } else if (trap.where === "sent") server.write(sent, () => cut(trap))
    else cut(trap)
  })
  server.on("data", (answer) => {
    if (dropsAnswer !== undefined) cut(dropsAnswer)
    else if (!isCut) client.write(answer)
  })
  server.on("close", () => client.destroy())
  client.on("close", () => {
    if (!isCut) server.destroy()
  })
  for (const socket of [client, server]) socket.on("error", () => socket.destroy())
}

/** Starts a proxy in front of the server of an address. */
export const startPostgresProxy = async (serverUrl: string): Promise<PostgresProxy> => {
  const { hostname, port } = new URL(serverUrl)
  const sockets = new Set<Socket>()
  const traps = new Set<Trap>()
  let isRefusing = false
  let hold: Hold | null = null
  let statements: Map<Socket, Array<string>> | null = null
  const noteStatements = (client: Socket, sent: Buffer) => {
    if (statements === null) return
    const noted = statements.get(client) ?? []
    statements.set(client, [...noted, ...[...sent.toString("latin1").matchAll(parsed)].map(([, text = ""]) => text)])
  }
  const takeTrap = (sent: Buffer, of: string) => {
    const trap = [...traps].find(({ marker, database = of }) => database === of && sent.includes(marker))
    if (trap !== undefined) traps.delete(trap)
    return trap
  }
  const listener = createServer((client) => {
    if (isRefusing) return void client.destroy()
    const server = connect({ host: hostname, port: Number(port === "" ? 5432 : port) })
    for (const socket of [client, server]) {
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
    }
    passOn(client, server, takeTrap, (sent, database) => {
      noteStatements(client, sent)
      if (hold === null) return false
      if (hold.database === database) hold.left -= 1
      if (hold.left > 0) return false
      hold.reached()
      return true
    })
  })
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve))
  const { port: own } = listener.address() as AddressInfo
  return {
    through: (url) => Object.assign(new URL(url), { host: `127.0.0.1:${own}` }).href,
    cutAt: (marker, where, database) =>
      new Promise((sprung) => {
        traps.add({ marker, where, database, sprung })
      }),
    stallAt: (marker) =>
      new Promise((sprung) => {
        traps.add({ marker, where: "silent", sprung })
      }),
    holdAt: (database, message) => {
      const reached = Promise.withResolvers<void>()
      hold = { database, left: message, reached: reached.resolve }
      return {
        reached: reached.promise,
        release: () => {
          hold = null
        },
      }
    },
    listStatements: () => {
      const noted = new Map<Socket, Array<string>>()
      statements = noted
      return () => [...noted.values()]
    },
    refuse: (refusing) => {
      isRefusing = refusing
    },
    cutOff: () => {
      isRefusing = true
      for (const socket of sockets) socket.destroy()
    },
    close: () => {
      const closed = new Promise<void>((resolve) => listener.close(() => resolve()))
      for (const socket of sockets) socket.destroy()
      return closed
    },
  }
}
