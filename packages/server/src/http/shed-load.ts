import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http"
import { ServiceUnavailable } from "@hearth/core"
import { countLoad } from "./request/load.ts"
import { readRequestId } from "./request/request-id.ts"
import { corsHeaders, isOpenToPages } from "./response/cors.ts"
import { errorBody, refusalHeaders } from "./response/errors.ts"

/** When a process has more requests than it can answer in time. */
export interface LoadLimits {
  /** So many requests may be under way, whatever they wait for. */
  readonly inFlight: number
  /** Beyond these, further ones are refused while the event loop is later than this. */
  readonly lagMillis: number
}

/** What is done about requests that are too many. */
export interface LoadShedding {
  /** Where left out: 1,000 under way, and 100 ms. */
  readonly limits?: LoadLimits
  /** Makes the id of a request that brings none. */
  readonly makeRequestId: () => string
  /** Called for each request that is refused. They are too many for a line in the log each. */
  readonly onRefused: () => void
}

// Many requests that wait for one busy project are no reason to refuse those of others: the event loop is on time then. A machine
// that is slow for a moment is none either, with few requests under way.
const usual: LoadLimits = { inFlight: 1_000, lagMillis: 100 }

const tickMillis = 10
// Node reads a rest of a body of this size by itself, so that the connection can be used again.
const smallBodyBytes = 64 * 1024
const lingerMillis = 1_000

/** How late the event loop is. It is looked at only between `start` and `stop`. */
const makeLagMeter = () => {
  let timer: NodeJS.Timeout | null = null
  let lastTick = 0
  let lag = 0
  return {
    start: () => {
      if (timer !== null) return
      lastTick = performance.now()
      lag = 0
      timer = setInterval(() => {
        const now = performance.now()
        lag = now - lastTick - tickMillis
        lastTick = now
      }, tickMillis)
      timer.unref()
    },
    stop: () => {
      if (timer !== null) clearInterval(timer)
      timer = null
    },
    millis: () => Math.max(lag, performance.now() - lastTick - tickMillis),
  }
}

/** Operators need these most when there is too much to do. */
const isForOperators = (url: string) => url.startsWith("/health/") || url === "/metrics"

/** Ends a connection whose request has a body that is too large to be read for nothing. */
const leaveBody = (request: IncomingMessage, response: ServerResponse) => {
  const length = Number(request.headers["content-length"] ?? 0)
  if (request.headers["transfer-encoding"] === undefined && length <= smallBodyBytes) return
  response.setHeader("connection", "close")
  response.once("finish", () => setTimeout(() => request.socket.destroy(), lingerMillis).unref())
}

const refuseLoad = (request: IncomingMessage, response: ServerResponse, makeRequestId: () => string) => {
  const id = request.headers["x-request-id"]
  const requestId = readRequestId(typeof id === "string" ? id : null, makeRequestId)
  const refusal = new ServiceUnavailable()
  leaveBody(request, response)
  const body = JSON.stringify(errorBody(refusal, requestId))
  response.writeHead(503, {
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    "x-request-id": requestId,
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
    ...refusalHeaders(503, refusal),
    ...(isOpenToPages(request.url ?? "") ? corsHeaders : undefined),
  })
  response.end(request.method === "HEAD" ? undefined : body)
}

/**
 * Makes a server refuse with 503 [A3] what it cannot answer in time, before anything is done for it. Without that everybody's answers
 * come too late once more is asked than can be done, because what came last takes its turns from what came first. To be called before
 * other listeners are added.
 */
export const shedLoad = (server: Server, { limits = usual, makeRequestId, onRefused }: LoadShedding): void => {
  const lag = makeLagMeter()
  const handlers = server.listeners("request").map((handle) => handle as RequestListener)
  let current = 0
  const isTooMany = () => {
    if (current < limits.inFlight) return false
    lag.start()
    return lag.millis() > limits.lagMillis
  }
  const leave = () => {
    current -= 1
    if (current < limits.inFlight / 2) lag.stop()
  }
  server.removeAllListeners("request")
  server.on("request", (request, response) => {
    if (!isForOperators(request.url ?? "") && isTooMany()) {
      onRefused()
      return refuseLoad(request, response, makeRequestId)
    }
    current += 1
    response.once("close", countLoad(response, leave))
    for (const handle of handlers) handle(request, response)
  })
}
