import type { Server } from "node:http"
import type { H3 } from "h3"
import { serve } from "h3"
import { watchConnections } from "./drain.ts"

/** Where to listen. Port 0 is any free one. */
export interface ListenOptions {
  readonly port: number
  readonly host: string
  /** How long `close` waits for answers under way, in milliseconds; ten seconds where left out. */
  readonly drainMillis?: number
  /** Called after that time where answers are still under way: what is answered now is still sent. */
  readonly onLate?: () => void
}

/** A server that listens. */
export interface Listener {
  /** Its address, with the port that it really has. */
  readonly url: string
  /**
   * Takes no new connections, closes idle ones, and waits for the answers under way for `drainMillis`. Those that are begun then
   * are cut off. A connection is idle that was used and has been silent for half a second, or that is a second old and was never used.
   */
  readonly close: () => Promise<void>
}

/** The port cannot be listened on. `message` is one sentence for the operator. */
export class CannotListen extends Error {
  override readonly name = "CannotListen"
}

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another process listens there",
  EACCES: "this user may not",
  EADDRNOTAVAIL: "this machine does not have that address",
  ENOTFOUND: "there is no such host",
}

// Long enough for a slow phone to send 2 MB, short enough that slow clients do not hold many connections.
const timeouts = {
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
}

/** Starts to listen. Rejects with `CannotListen` where that is not possible. */
export const listen = async (
  app: H3,
  { port, host, drainMillis = 10_000, onLate = () => {} }: ListenOptions,
): Promise<Listener> => {
  const server = serve(app, { port, hostname: host, silent: true, gracefulShutdown: false, node: timeouts })
  try {
    await server.ready()
  } catch (error) {
    const reason = reasons[(error as NodeJS.ErrnoException).code ?? ""] ?? String(error)
    throw new CannotListen(`Cannot listen on ${host}:${port}: ${reason}.`, { cause: error })
  }
  const node = server.node?.server as Server
  const connections = watchConnections(node)
  const end = async () => {
    await connections.drain(drainMillis, onLate)
    await server.close()
  }
  let closing: Promise<void> | undefined
  return {
    url: (server.url ?? "").replace(/\/$/, ""),
    close: () => (closing ??= end()),
  }
}
