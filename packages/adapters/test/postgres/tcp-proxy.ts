import type { AddressInfo } from "node:net"
import { connect, createServer, type Socket } from "node:net"

/** Passes connections on to a server, until it is told to be silent. */
export interface TcpProxy {
  /** The address, with the proxy in place of the server. */
  readonly url: string
  /** Passes nothing on any more of the connections that there are, without closing them; or goes on. */
  silence(isSilent: boolean): void
  /** Passes nothing on of connections that are made from now on; or goes on with all. */
  silenceNew(isSilent: boolean): void
  close(): Promise<void>
}

/** Starts a proxy in front of the server of `url`. */
export const startTcpProxy = async (url: string): Promise<TcpProxy> => {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let isNewSilent = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on("data", (bytes) => to.write(bytes))
      from.on("error", () => {})
      from.on("close", () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isNewSilent) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  const silence = (isSilent: boolean) => {
    for (const socket of sockets) {
      if (isSilent) socket.pause()
      else socket.resume()
    }
  }
  return {
    url: Object.assign(new URL(url), { host: `127.0.0.1:${port}` }).href,
    silence,
    silenceNew: (isSilent) => {
      isNewSilent = isSilent
      if (!isSilent) silence(false)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
