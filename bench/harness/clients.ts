import { connect, type Socket } from "node:net"

/** A call with all its bytes, made once and sent often. */
export interface Call {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const write = ({ method, path, headers = {}, body = "" }: Call): string =>
  [
    `${method} ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    ...Object.entries({ ...headers, "content-type": "application/json" }).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n")

const headEnd = "\r\n\r\n"

/** The body of an answer that is here as a whole; null while something of it is missing. */
const readBody = (answer: string): string | null => {
  const end = answer.indexOf(headEnd)
  if (end < 0) return null
  const head = answer.slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1])
  const body = answer.slice(end + headEnd.length)
  // Only bytes of ASCII are sent and answered here.
  if (Number.isNaN(length)) throw new Error(`An answer without a length: ${head}`)
  if (body.length < length) return null
  if (!/^HTTP\/1\.1 2/.test(head)) throw new Error(answer)
  return body
}

// Servers close connections that have been idle for longer: a new one is opened before that.
const idleMillis = 5_000

/** A client that sends one call at a time. */
const makeClient = (port: number) => {
  let socket: Socket | null = null
  let usedAt = 0
  let answer = ""
  let waiting = Promise.withResolvers<string>()

  const open = () => {
    const opened = connect({ host: "127.0.0.1", port, noDelay: true }).setEncoding("latin1")
    const isUsed = () => socket === opened
    opened.on("error", (error) => isUsed() && waiting.reject(error))
    opened.on("close", () => isUsed() && waiting.reject(new Error("The connection was closed.")))
    opened.on("data", (part: string) => {
      answer += part
      try {
        const body = readBody(answer)
        if (body !== null) waiting.resolve(body)
      } catch (error) {
        waiting.reject(error)
      }
    })
    return opened
  }
  const close = () => {
    const closed = socket
    socket = null
    closed?.destroy()
  }
  return {
    close,
    send: async (call: string): Promise<string> => {
      if (performance.now() - usedAt > idleMillis) close()
      socket ??= open()
      answer = ""
      waiting = Promise.withResolvers<string>()
      socket.write(call, "latin1")
      const body = await waiting.promise
      usedAt = performance.now()
      return body
    },
  }
}

/** Clients of a server, each with a connection of its own and one call at a time. */
export interface Clients {
  /** Sends `total` calls, as many at once as there are clients, and answers `total`. Fails where one is refused. */
  send(total: number, callAt: (index: number) => Call): Promise<number>
  /** Sends one call and answers its body. */
  ask(call: Call): Promise<string>
  close(): void
}

/**
 * `count` clients of the server at `origin`. They write and read HTTP/1.1 by hand, because what a client costs is missing to the
 * server that shares its cores.
 */
export const makeClients = (origin: string, count: number): Clients => {
  const port = Number(new URL(origin).port)
  const clients = Array.from({ length: count }, () => makeClient(port))
  return {
    send: async (total, callAt) => {
      let next = 0
      const loop = async ({ send }: (typeof clients)[number]) => {
        for (let index = next++; index < total; index = next++) await send(write(callAt(index)))
      }
      await Promise.all(clients.map(loop))
      return total
    },
    ask: (call) => clients[0]?.send(write(call)) ?? Promise.reject(new Error("There is no client.")),
    close: () => {
      for (const { close } of clients) close()
    },
  }
}
