import { FastResponse } from "srvx"
import type { ExtraHeaders } from "../routing/limits.ts"
import type { RequestContext } from "../routing/request-context.ts"
import type { Download, Written } from "./answers.ts"
import { corsHeaders, isOpenToPages } from "./cors.ts"
import { errorBody, type Refusal, refusalHeaders, statusOf } from "./errors.ts"

/** The headers of every answer [A2]. */
export const commonHeaders = ({ path, requestId, headers }: RequestContext): Record<string, string> => ({
  "x-request-id": requestId,
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  ...(isOpenToPages(path) ? corsHeaders : undefined),
  ...headers,
})

/** An answer of any content type, with the usual headers. HEAD has the length of what GET would send. */
export const content = (
  context: RequestContext,
  status: number,
  type: string,
  body: string | Uint8Array<ArrayBuffer>,
  extra?: ExtraHeaders,
): Response => {
  const headers = { ...commonHeaders(context), "content-type": type, ...extra }
  return context.method === "HEAD"
    ? new FastResponse(null, { status, headers: { ...headers, "content-length": String(Buffer.byteLength(body)) } })
    : new FastResponse(body, { status, headers })
}

/** An answer without a body. */
export const empty = (context: RequestContext, status: number, extra?: ExtraHeaders): Response =>
  new FastResponse(null, { status, headers: { ...commonHeaders(context), ...extra } })

const fileName = (name: string): string => name.replaceAll(/[^\w.-]/g, "_")

/** Passes `body` on chunk by chunk, as the client reads it. Where it fails, the connection ends before the end of the file. */
const watchStream = (
  body: ReadableStream<Uint8Array>,
  onDownloadFailed: RequestContext["onDownloadFailed"],
): ReadableStream<Uint8Array> => {
  const reader = body.getReader()
  let isCancelled = false
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    try {
      const { done, value } = await reader.read()
      // A client that hung up during the read has closed the controller already.
      if (isCancelled) return
      if (done) controller.close()
      else controller.enqueue(value)
    } catch (cause) {
      onDownloadFailed(cause)
      controller.error(cause instanceof Error ? cause : new Error("The download broke off.", { cause }))
    }
  }
  const cancel = (reason: unknown) => {
    isCancelled = true
    return reader.cancel(reason)
  }
  return new ReadableStream({ pull, cancel }, { highWaterMark: 0 })
}

const file = (
  context: RequestContext,
  status: number,
  { body, content_type, filename, headers: added }: Download,
): Response => {
  const headers = {
    ...commonHeaders(context),
    "content-type": content_type,
    ...added,
    ...(filename === undefined ? undefined : { "content-disposition": `attachment; filename="${fileName(filename)}"` }),
  }
  if (context.method !== "HEAD")
    return new FastResponse(watchStream(body, context.onDownloadFailed), { status, headers })
  // The body of a HEAD is not sent: its source must be released.
  void body.cancel().catch(() => {})
  return new FastResponse(null, { status, headers })
}

// FastResponse takes what has `pipe`, though its type does not say so.
const piped = (
  context: RequestContext,
  status: number,
  { body, content_type, headers }: Required<Written>["piped"],
) => {
  const init = { status, headers: { ...commonHeaders(context), "content-type": content_type, ...headers } }
  if (context.method !== "HEAD") return new FastResponse(body as unknown as ReadableStream, init)
  body.destroy()
  return new FastResponse(null, init)
}

/** The answer that a route has written. */
export const respond = (context: RequestContext, { status, json, location, download, ...rest }: Written): Response => {
  if (rest.piped !== undefined) return piped(context, status, rest.piped)
  if (download !== undefined) return file(context, status, download)
  if (location !== undefined) return empty(context, status, { location })
  return json === undefined
    ? empty(context, status)
    : content(context, status, "application/json", JSON.stringify(json))
}

/** The answer to a call that is refused or has failed. */
export const refuse = (context: RequestContext, refusal: Refusal, extra?: ExtraHeaders): Response => {
  const status = statusOf(refusal)
  context.refusal = refusal
  const body = JSON.stringify(errorBody(refusal, context.requestId))
  return content(context, status, "application/json", body, { ...refusalHeaders(status, refusal), ...extra })
}
