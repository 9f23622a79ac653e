import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { interceptRequests, type MakeRequestId, refuseConnection, refuseRequest } from "./refuse-request.ts"
import { ExpectationFailed, HeadersTooLarge, MalformedRequest, RequestTimeout } from "./response/failures.ts"

/** What Node says is wrong with what came over a connection. */
const refusalOf = (code: string | undefined) => {
  if (code === "HPE_HEADER_OVERFLOW") return new HeadersTooLarge()
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new RequestTimeout()
  return new MalformedRequest()
}

// The address of a request is made of its Host, by whoever asks for it.
const isHostOfAddress = (host: string) => host === "" || URL.canParse(`http://${host}`)

/** What is wrong with the `Host` of a request. HTTP/1.1 asks for one; what is older may come without. */
const faultOfHost = ({ headers, rawHeaders, httpVersion }: IncomingMessage): string | null => {
  const { host } = headers
  if (host === undefined) return httpVersion === "1.1" ? "The request has no Host." : null
  const isHost = (name: string, at: number) => at % 2 === 0 && name.length === 4 && name.toLowerCase() === "host"
  if (rawHeaders.filter(isHost).length > 1) return "The request has more than one Host."
  return /[\s/\\?#@]/.test(host) || !isHostOfAddress(host) ? "The Host is none." : null
}

/**
 * What is wrong with the target of a request: it is a path or a whole address. A backslash in a path would be read as a slash, and
 * a proxy that keeps paths from the outside does not read it so.
 */
const faultOfTarget = (target: string): string | null => {
  if (target.includes("\\") && /^[^?]*\\/.test(target)) return "A path has no backslash: write it as %5C."
  if (target.startsWith("/") || target === "*") return null
  return /^https?:/i.test(target) && URL.canParse(target) ? null : "The target of the request is no path."
}

/**
 * Answers what Node refuses by itself, with the body and the headers of every other refusal [A2]. `isAnswering` tells whether
 * another answer is waited for on a connection: this one would be taken for it.
 */
export const refuseMalformed = (
  server: Server,
  isAnswering: (socket: Socket) => boolean,
  makeRequestId: MakeRequestId,
): void => {
  server.on("clientError", (error: NodeJS.ErrnoException, socket: Socket) => {
    // What comes after the first mistake is read as further ones.
    if (socket.writableEnded) return
    if (!socket.writable || error.code === "ECONNRESET" || isAnswering(socket)) socket.destroy(error)
    else refuseConnection(socket, refusalOf(error.code), makeRequestId)
  })
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    // No other listener has seen it, so its connection has no place among those that are used again.
    response.shouldKeepAlive = false
    refuseRequest(request, response, new ExpectationFailed(), makeRequestId)
  })
  // CONNECT, which is for proxies.
  server.on("connect", (request: IncomingMessage, socket: Socket) =>
    refuseConnection(socket, new MalformedRequest(undefined, "This is no proxy."), makeRequestId, request),
  )
  interceptRequests(server, (request, response, passOn) => {
    const fault = faultOfHost(request) ?? faultOfTarget(request.url ?? "")
    if (fault === null) passOn()
    else refuseRequest(request, response, new MalformedRequest(undefined, fault), makeRequestId)
  })
}
