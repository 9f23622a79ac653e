import type { Log } from "@hearth/adapters"
import type { HTTPResponse } from "h3"
import { limitUnreadBody } from "../request/bytes.ts"
import type { RequestEvent } from "../request/request.ts"
import { readRequestId } from "../request/request-id.ts"
import { makeInternalError } from "../response/errors.ts"
import { ServiceStopping } from "../response/failures.ts"
import { refuse } from "../response/respond.ts"
import type { AnswerCounter } from "../system/metrics.ts"
import type { RequestContext, Responder } from "./request-context.ts"

/** What every answer is logged and counted with. */
export interface LoggingOptions {
  readonly log: Log
  readonly makeRequestId: () => string
  readonly counter: (method: string, path: string) => AnswerCounter
  /** Aborted when the service can wait no longer: then what has no answer is answered 503. */
  readonly stopping?: AbortSignal
}

/** The `path` of all requests without a route. It is one label, so that callers cannot add labels to the metrics. */
export const unknownPath = "(unknown)"

const describeCause = (cause: unknown): string =>
  cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)

/** The answer of `work`, or `late` when the service stops before it is there. */
const answerInTime = (
  work: Promise<HTTPResponse>,
  stopping: AbortSignal,
  late: () => HTTPResponse,
): Promise<HTTPResponse> =>
  new Promise((resolve, reject) => {
    const giveUp = () => resolve(late())
    stopping.addEventListener("abort", giveUp, { once: true })
    const end = () => stopping.removeEventListener("abort", giveUp)
    void work.then(resolve, reject).then(end)
  })

/**
 * Makes a handler of a responder, with what every answer has: a request id, a line in the log, its count, and an error answer
 * where the responder throws.
 * `path` is a pattern; the URL is never logged, because it may hold names and tokens.
 */
export const withLogging = (
  { log, makeRequestId, counter, stopping }: LoggingOptions,
  method: string,
  path: string,
  respond: Responder,
) => {
  const count = counter(method, path)
  return async (event: RequestEvent): Promise<HTTPResponse> => {
    const started = performance.now()
    const { req, url } = event
    const requestId = readRequestId(req.headers.get("x-request-id"), makeRequestId)
    const onDownloadFailed = (cause: unknown) =>
      log("error", "download broke off", {
        request_id: requestId,
        method: req.method,
        path,
        cause: describeCause(cause),
      })
    const context: RequestContext = {
      method: req.method,
      path: url.pathname,
      requestId,
      headers: {},
      facts: {},
      onDownloadFailed,
    }
    let response: HTTPResponse
    try {
      const answer = respond(event, context)
      response =
        stopping === undefined || !(answer instanceof Promise)
          ? await answer
          : await answerInTime(answer, stopping, () => refuse(context, new ServiceStopping()))
    } catch (cause) {
      context.facts["cause"] = describeCause(cause)
      response = refuse(context, makeInternalError())
    }
    limitUnreadBody(req)
    const ms = performance.now() - started
    const status = response.status ?? 200
    count(status, ms / 1000)
    // What is refused because the service stops is no fault.
    log(status >= 500 && stopping?.aborted !== true ? "error" : "info", "request", {
      request_id: requestId,
      method: req.method,
      path,
      status,
      ms: Math.round(ms * 100) / 100,
      ...context.facts,
    })
    return response
  }
}
