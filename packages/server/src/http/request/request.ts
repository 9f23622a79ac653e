import type { H3Event } from "h3"

/** A request as the server gives it to the routes: a web `Request`, with Node's own objects where it came over a socket. */
export type ServerRequest = H3Event["req"]

/** A request with its matched path parameters, still percent-encoded, and its URL. */
export type RequestEvent = Pick<H3Event, "req" | "url" | "context">
