import type { Server } from "node:http"
import { CannotListen } from "@hearth/worker"
import type { H3 } from "h3"
import { serve } from "h3"
import { boundPipelines } from "./bound-pipelines.ts"
import { watchConnections } from "./drain.ts"
import { isUpload } from "./files/files.ts"
import { refuseMalformed } from "./malformed-requests.ts"
import type { MakeRequestId } from "./refuse-request.ts"
import { type LoadShedding, shedLoad } from "./shed-load.ts"
import { limitSlowBodies } from "./slow-bodies.ts"

/** Where to listen. Port 0 is any free one. */
export interface ListenOptions {
  readonly port: number
  readonly host: string
  readonly makeRequestId: MakeRequestId
  /** How long `close` waits for answers under way, in milliseconds; ten seconds where left out. */
  readonly drainMillis?: number
  /** How long a client may take, in milliseconds: for the head of a request, for all of it, and for one that sends a file. */
  readonly slowMillis?: { readonly head: number; readonly request: number; readonly upload: number }
  /** What is done about requests that are too many; nothing where left out. */
  readonly load?: LoadShedding
  /** Called after that time where answers are still under way: what is answered now is still sent. */
  readonly onLate?: () => void
}

/** A server that listens. */
export interface Listener {
  /** Its address, with the port that it really has. */
  readonly url: string
  /**
   * Takes no new connections, closes idle ones, and waits for the answers under way for `drainMillis`. Those that are begun then
   * are cut off. A connection is idle that is a second old and was never used, or has been silent for half a second.
   */
  readonly close: () => Promise<void>
}

// Long enough for a slow phone to send 2 MB, short enough that slow clients do not hold many connections. A file of 100 MB comes in
// an hour at 30 KB a second; that it comes at all is watched while it does.
const usualMillis = { head: 15_000, request: 60_000, upload: 60 * 60_000 }
const keepAliveTimeout = 30_000

/** Starts to listen. Rejects with `CannotListen` where that is not possible. */
export const listen = async (
  app: H3,
  { port, host, makeRequestId, drainMillis = 10_000, slowMillis = usualMillis, load, onLate = () => {} }: ListenOptions,
): Promise<Listener> => {
  const { head: headersTimeout, request, upload: requestTimeout } = slowMillis
  // Node looks at this interval for requests that take too long.
  const connectionsCheckingInterval = Math.ceil(headersTimeout / 3)
  const timeouts = { headersTimeout, requestTimeout, keepAliveTimeout, connectionsCheckingInterval }
  // A request without Host is refused here, with a body.
  const options = { ...timeouts, requireHostHeader: false }
  const server = serve(app, { port, hostname: host, silent: true, gracefulShutdown: false, node: options })
  try {
    await server.ready()
  } catch (error) {
    throw new CannotListen({ host, port }, error)
  }
  const node = server.node?.server as Server
  if (load !== undefined) shedLoad(node, load, makeRequestId)
  refuseMalformed(node, (socket) => connections.isAnswering(socket), makeRequestId)
  boundPipelines(node, (socket) => connections.countOpen(socket), makeRequestId)
  // After those: it sees every request, the refused ones too.
  const connections = watchConnections(node)
  limitSlowBodies(node, request, isUpload, makeRequestId)
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
