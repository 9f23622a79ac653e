import type { IncomingMessage, Server, ServerResponse } from "node:http"

const timeout = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n"

/**
 * Bounds how long a request may take to arrive, for those that `isExempt` does not name. Node has one bound for all of a server,
 * which has to be that of the longest: this does what Node's would do, per request.
 */
export const limitSlowBodies = (
  server: Server,
  millis: number,
  isExempt: (method: string | undefined, url: string | undefined) => boolean,
): void => {
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (request.complete || isExempt(request.method, request.url)) return
    const { socket } = request
    const timer = setTimeout(() => {
      if (request.complete || socket.destroyed) return
      if (!response.headersSent) socket.write(timeout)
      socket.destroy()
    }, millis)
    request.once("close", () => clearTimeout(timer))
  })
}
