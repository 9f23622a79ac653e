import type { HTTPResponse } from "h3"
import type { RequestEvent } from "../request/request.ts"
import type { ExtraHeaders } from "./limits.ts"

/** What is known about a request while it is answered. */
export interface RequestContext {
  readonly method: string
  /** The path of the request, without its query. */
  readonly path: string
  readonly requestId: string
  /** Headers that the call has collected on its way. */
  readonly headers: ExtraHeaders
  /** What the log says of the request beside its status. */
  readonly facts: Record<string, unknown>
  /** Is told why a download broke off. Its status has been sent by then, so nobody else will know. */
  readonly onDownloadFailed: (cause: unknown) => void
}

/** Answers a request. */
export type Responder = (event: RequestEvent, context: RequestContext) => HTTPResponse | Promise<HTTPResponse>
