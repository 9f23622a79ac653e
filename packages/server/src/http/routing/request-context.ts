import type { RequestEvent } from "../request/request.ts"
import type { Refusal } from "../response/errors.ts"
import type { ExtraHeaders } from "./limits.ts"

/** What is known about a request while it is answered. */
export interface RequestContext {
  readonly method: string
  /** The path of the request, without its query. */
  readonly path: string
  readonly requestId: string
  /** Headers to add to the answer. */
  readonly headers: ExtraHeaders
  /** Fields of the request's line in the log, beside its status. */
  readonly facts: Record<string, unknown>
  /** Who calls, once a credential has told that they belong to the project. */
  caller: "app" | "developer" | null
  /** What the call was refused with, once it was. */
  refusal: Refusal | null
  /** Called with the cause when a download fails. Its status has been sent by then, so only the log can tell. */
  readonly onDownloadFailed: (cause: unknown) => void
}

/** Answers a request. */
export type Responder = (event: RequestEvent, context: RequestContext) => Response | Promise<Response>
