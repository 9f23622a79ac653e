import type { Log } from "@hearth/adapters"
import type { HTTPResponse } from "h3"
import { boundUnread } from "../request/bytes.ts"
import type { RequestEvent } from "../request/request.ts"
import { requestIdOf } from "../request/request-id.ts"
import { unexpected } from "../response/errors.ts"
import { type Asked, refused } from "../response/respond.ts"
import type { AnswerCounter } from "../system/metrics.ts"

/** One request and its answer, and what is known about them for the log. */
export interface Exchange extends Asked {
  readonly facts: Record<string, unknown>
}

/** Answers a request. */
export type Responder = (event: RequestEvent, exchange: Exchange) => HTTPResponse | Promise<HTTPResponse>

/** What surrounds every answer. */
export interface Surroundings {
  readonly log: Log
  readonly makeRequestId: () => string
  readonly counter: (method: string, path: string) => AnswerCounter
}

/** `path` where there is no route: one label for all of them, for nobody may make new ones. */
export const unknownPath = "(unknown)"

const causeOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause))

/**
 * Gives a responder what every answer has: a request id, one line in the log, its count, and an error answer where it throws.
 * `path` is a pattern; the URL itself is never written down, for it may hold names and tokens.
 */
export const surround = (
  { log, makeRequestId, counter }: Surroundings,
  method: string,
  path: string,
  respond: Responder,
) => {
  const count = counter(method, path)
  return async (event: RequestEvent): Promise<HTTPResponse> => {
    const started = performance.now()
    const { req, url } = event
    const requestId = requestIdOf(req.headers.get("x-request-id"), makeRequestId)
    const onBrokenOff = (cause: unknown) =>
      log("error", "download broke off", { request_id: requestId, method: req.method, path, cause: causeOf(cause) })
    const asked = { method: req.method, path: url.pathname, requestId, headers: {}, onBrokenOff }
    const exchange: Exchange = { ...asked, facts: {} }
    let response: HTTPResponse
    try {
      response = await respond(event, exchange)
    } catch (cause) {
      exchange.facts["cause"] = causeOf(cause)
      response = refused(exchange, unexpected())
    }
    boundUnread(req)
    const ms = performance.now() - started
    const status = response.status ?? 200
    count(status, ms / 1000)
    log(status >= 500 ? "error" : "info", "request", {
      request_id: requestId,
      method: req.method,
      path,
      status,
      ms: Math.round(ms * 100) / 100,
      ...exchange.facts,
    })
    return response
  }
}
