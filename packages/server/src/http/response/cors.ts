/** Browsers may call the client plane from any origin: its credentials are headers, never cookies. */
const isClientPlane = (path: string): boolean => path.startsWith("/v1/client/")

/** Files are sent and fetched by pages too: their addresses are all that is needed for it [I7.2]. */
export const isOpenToPages = (path: string): boolean => isClientPlane(path) || path.startsWith("/files/")

/** The headers that let a page of any origin read an answer of the client plane. */
export const corsHeaders: Readonly<Record<string, string>> = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers":
    "X-Request-Id, Date, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, X-Ignored-Keys, ETag, Accept-Ranges, Content-Range, Content-Disposition",
}

/** Whether a request is a browser's preflight. */
export const isPreflight = (method: string, headers: Headers): boolean =>
  method === "OPTIONS" && headers.has("origin") && headers.has("access-control-request-method")

/** The headers of the answer to a preflight. */
export const preflightHeaders = (methods: ReadonlyArray<string>): Record<string, string> => ({
  "access-control-allow-origin": "*",
  "access-control-allow-methods": methods.join(", "),
  "access-control-allow-headers":
    "X-Api-Key, Authorization, Content-Type, Idempotency-Key, X-Request-Id, Last-Event-ID, Range, If-None-Match, If-Range",
  "access-control-max-age": "86400",
})
