import type { IncomingMessage, Server, ServerResponse } from "node:http"
import { type MakeRequestId, refuseConnection } from "./refuse-request.ts"
import { RequestTimeout } from "./response/failures.ts"

/**
 * Bounds how long a request may take to arrive, for those that `isExempt` does not name. Node has one bound for all of a server,
 * which has to be that of the longest: this does what Node's would do, per request.
 */
export const limitSlowBodies = (
  server: Server,
  millis: number,
  isExempt: (method: string | undefined, url: string | undefined) => boolean,
  makeRequestId: MakeRequestId,
): void => {
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete || isExempt(request.method, request.url)) return
    const { socket } = request
    const timer = setTimeout(() => {
      if (request.complete || socket.destroyed) return
      if (!response.headersSent) refuseConnection(socket, new RequestTimeout(), makeRequestId, request)
      // Now, so that nothing comes of it any more.
      socket.destroySoon()
    }, millis)
    request.once("close", () => clearTimeout(timer))
  })
}
