import type { H3Event } from "h3"

/** A request as the server gives it to the routes: a web `Request`, with Node's own objects where it came over a socket. */
export type ServerRequest = H3Event["req"]

/** A request with its matched path parameters, still percent-encoded, and its URL. */
export type RequestEvent = Pick<H3Event, "req" | "url" | "context">

/**
 * Calls `leave` when the client hangs up before it has its answer. Over a socket Node's own event tells: the signal of a web request
 * costs an abort controller and two listeners for each.
 */
export const onHangUp = (request: ServerRequest, leave: () => void): void => {
  const { req, res } = request.runtime?.node ?? {}
  if (req === undefined || res === undefined) {
    if (request.signal.aborted) leave()
    else request.signal.addEventListener("abort", leave, { once: true })
  } else if (res.destroyed) leave()
  else {
    res.once("close", () => {
      if (!res.writableEnded) leave()
    })
  }
}
