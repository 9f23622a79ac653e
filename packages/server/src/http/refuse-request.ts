import { type IncomingMessage, type RequestListener, type Server, type ServerResponse, STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import { readRequestId } from "./request/request-id.ts"
import { corsHeaders, isOpenToPages } from "./response/cors.ts"
import { errorBody, type Refusal, refusalHeaders, statusOf } from "./response/errors.ts"

/** Makes the id of a request that brings none. */
export type MakeRequestId = () => string

// Node reads a rest of a body of this size by itself, so that the connection can be used again.
const smallBodyBytes = 64 * 1024
const lingerMillis = 1_000

/** The id that an answer to a request carries. */
const requestIdOf = ({ headers }: IncomingMessage, makeRequestId: MakeRequestId): string => {
  const id = headers["x-request-id"]
  return readRequestId(typeof id === "string" ? id : null, makeRequestId)
}

const makeAnswer = (refusal: Refusal, requestId: string, url = "") => {
  const status = statusOf(refusal)
  const body = JSON.stringify(errorBody(refusal, requestId))
  const headers = {
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    ...refusalHeaders(status, refusal),
    ...(isOpenToPages(url) ? corsHeaders : undefined),
  }
  return { status, headers, body }
}

/** Ends a connection whose request has a body that is too large to be read for nothing. */
const leaveBody = (request: IncomingMessage, response: ServerResponse) => {
  const length = Number(request.headers["content-length"] ?? 0)
  if (request.headers["transfer-encoding"] === undefined && length <= smallBodyBytes) return
  response.setHeader("connection", "close")
  response.once("finish", () => setTimeout(() => request.socket.destroy(), lingerMillis).unref())
}

/** Answers a request with a refusal, before the app has seen it. */
export const refuseRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  refusal: Refusal,
  makeRequestId: MakeRequestId,
): void => {
  const { status, headers, body } = makeAnswer(refusal, requestIdOf(request, makeRequestId), request.url)
  leaveBody(request, response)
  response.writeHead(status, headers)
  response.end(request.method === "HEAD" ? undefined : body)
}

/** Answers with a refusal what is no request, or not a whole one, and ends its connection. `request` is what is known of it. */
export const refuseConnection = (
  socket: Socket,
  refusal: Refusal,
  makeRequestId: MakeRequestId,
  request?: IncomingMessage,
): void => {
  const requestId = request === undefined ? makeRequestId() : requestIdOf(request, makeRequestId)
  const { status, headers, body } = makeAnswer(refusal, requestId, request?.url)
  const lines = Object.entries({ ...headers, date: new Date().toUTCString(), connection: "close" })
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines.map(([name, value]) => `${name}: ${value}`)]
  // A socket that Node has let go of, as after CONNECT, has nobody else who hears of a reset.
  socket.on("error", () => {})
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`)
  // To close it at once would reset it, and the answer could be lost with that.
  setTimeout(() => socket.destroy(), lingerMillis).unref()
}

/** Lets `intercept` see each request before the listeners that the server has by now; they see what it passes on. */
export const interceptRequests = (
  server: Server,
  intercept: (request: IncomingMessage, response: ServerResponse, passOn: () => void) => void,
): void => {
  const handlers = server.listeners("request").map((handle) => handle as RequestListener)
  server.removeAllListeners("request")
  server.on("request", (request, response) =>
    intercept(request, response, () => {
      for (const handle of handlers) handle(request, response)
    }),
  )
}
