import { once } from "node:events"
import { type AddressInfo, createServer, type Socket } from "node:net"

/** A server that never finishes its answer. */
export interface TricklingServer {
  readonly port: number
  /** How many clients are connected. */
  clients(): number
  stop(): Promise<void>
}

/** Sends the first line of `script` at once, each further one after a command, and repeats the last one forever, a byte at a time. */
export const startTricklingServer = async (script: string): Promise<TricklingServer> => {
  const lines = script.split(/(?<=\n)/).filter((line) => line !== "")
  const sockets = new Set<Socket>()
  const trickle = (socket: Socket, line: string) => {
    let index = 0
    const timer = setInterval(() => {
      socket.write(line[index % line.length] ?? "")
      index += 1
    }, 5)
    socket.on("close", () => clearInterval(timer))
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => {})
    socket.on("close", () => sockets.delete(socket))
    const [first, ...rest] = lines
    if (first === undefined) return
    const last = rest.at(-1)
    if (last === undefined) return trickle(socket, first)
    socket.write(first)
    socket.once("data", () => trickle(socket, last))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  return {
    port: (server.address() as AddressInfo).port,
    clients: () => sockets.size,
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, "close")
    },
  }
}
