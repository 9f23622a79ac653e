import type { Log, LogLevel } from "@hearth/adapters"
import { type Failure, isUuid } from "@hearth/core"
import { limitUnreadBody } from "../request/bytes.ts"
import type { RequestEvent } from "../request/request.ts"
import { readRequestId } from "../request/request-id.ts"
import { makeInternalError, statusOf } from "../response/errors.ts"
import { ServiceStopping } from "../response/failures.ts"
import { refuse } from "../response/respond.ts"
import type { AnswerCounter } from "../system/metrics.ts"
import type { NoteRefusal } from "./note-refusal.ts"
import { originalStack } from "./original-stack.ts"
import type { RequestContext, Responder } from "./request-context.ts"

/** What every answer is logged and counted with. */
export interface LoggingOptions {
  readonly log: Log
  readonly makeRequestId: () => string
  readonly counter: (method: string, path: string) => AnswerCounter
  readonly stop: Stop
  /** Called with every call that was refused, before it is answered. */
  readonly noteRefusal?: NoteRefusal
}

/** Whether the service can wait no longer, and what it then calls: each once, for an answer that is under way. */
export interface Stop {
  readonly isNow: () => boolean
  readonly waiting: Set<() => void>
}

/** Follows a signal. One listener is for all answers: one for each would cost more than the rest of this file. */
export const followStop = (signal: AbortSignal | undefined): Stop => {
  const waiting = new Set<() => void>()
  signal?.addEventListener("abort", () => {
    for (const giveUp of waiting) giveUp()
  })
  return { isNow: () => signal?.aborted === true, waiting }
}

/** The `path` of all requests without a route. It is one label, so that callers cannot add labels to the metrics. */
export const unknownPath = "(unknown)"

/** What asks all the time whether the service is well, and what the page of development looks at: their answers are no news. */
const probes = new Set(["/health/live", "/health/ready", "/metrics", "/dev/outbox", "/dev/push", "/dev/projects"])

const chooseLevel = (path: string, status: number, isStopping: boolean): LogLevel => {
  if (probes.has(path) && status !== 500) return "debug"
  // What is refused because the service stops is no fault.
  return status >= 500 && !isStopping ? "error" : "info"
}

/** The project that the path names, as a fact. */
const readProject = ({ context }: RequestEvent): RequestContext["facts"] => {
  const projectId = context.params?.["projectId"]
  return projectId !== undefined && isUuid(projectId) ? { project_id: projectId.toLowerCase() } : {}
}

const describeCause = (cause: unknown): string =>
  cause instanceof Error ? originalStack(cause.stack ?? cause.message) : String(cause)

// Who may read no further is refused, as at the start of a file: that is no fault of ours.
const isFailure = (cause: unknown): cause is Failure =>
  typeof cause === "object" && cause !== null && "kind" in cause && "code" in cause

const failed = (context: RequestContext, cause: unknown): Response => {
  context.facts["cause"] = describeCause(cause)
  return refuse(context, makeInternalError())
}

/** The answer of `work`, or 503 when the service stops before it is there. */
const answerInTime = (
  work: Promise<Response>,
  context: RequestContext,
  { waiting }: Stop,
  finish: (response: Response) => Response,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const settle = (answer: () => Response) => {
      // Whatever comes second is dropped: an answer that was late, or the end of one that was not.
      if (!waiting.delete(giveUp)) return
      try {
        resolve(finish(answer()))
      } catch (cause) {
        reject(cause)
      }
    }
    const isRead = context.method === "GET" || context.method === "HEAD"
    const giveUp = () => settle(() => refuse(context, new ServiceStopping(isRead ? undefined : { outcome: "unknown" })))
    waiting.add(giveUp)
    work.then(
      (response) => settle(() => response),
      (cause: unknown) => settle(() => failed(context, cause)),
    )
  })

/**
 * Makes a handler of a responder, with what every answer has: a request id, a line in the log, its count, and an error answer
 * where the responder throws.
 * `path` is a pattern; the URL is never logged, because it may hold names and tokens.
 */
export const withLogging = (
  { log, makeRequestId, counter, stop, noteRefusal }: LoggingOptions,
  method: string,
  path: string,
  respond: Responder,
) => {
  const count = counter(method, path)
  return (event: RequestEvent): Response | Promise<Response> => {
    const started = performance.now()
    const { req } = event
    const requestId = readRequestId(req.headers.get("x-request-id"), makeRequestId)
    const context: RequestContext = {
      method: req.method,
      path: event.url.pathname,
      requestId,
      headers: {},
      facts: readProject(event),
      caller: null,
      refusal: null,
      onDownloadFailed: (cause) => {
        const why = isFailure(cause) ? { code: cause.code } : { cause: describeCause(cause) }
        const level = isFailure(cause) && statusOf(cause) < 500 ? "info" : "error"
        const call = { request_id: requestId, method: req.method, path }
        log(level, "download broke off", { ...call, ...context.facts, ...why })
      },
    }
    const finish = (response: Response): Response => {
      limitUnreadBody(req)
      const ms = performance.now() - started
      const { status } = response
      count(status, ms / 1000)
      log(chooseLevel(path, status, stop.isNow()), "request", {
        request_id: requestId,
        method: req.method,
        path,
        status,
        ms: Math.round(ms * 100) / 100,
        ...context.facts,
      })
      if (context.refusal !== null) noteRefusal?.(context, context.refusal, path, status)
      return response
    }
    let answer: Response | Promise<Response>
    try {
      answer = respond(event, context)
    } catch (cause) {
      answer = failed(context, cause)
    }
    return answer instanceof Promise ? answerInTime(answer, context, stop, finish) : finish(answer)
  }
}
