import type { Json } from "./plain-schemas.ts"

const count = { type: "integer", minimum: 0 }

/** The headers of answers, which the answers refer to. */
export const headerComponents: Readonly<Record<string, Json>> = {
  RequestId: {
    description: "Names this call in the logs: that of the request's own `X-Request-Id`, or a new one.",
    schema: { type: "string" },
  },
  RetryAfter: {
    description: "Whole seconds to wait before the call is worth repeating.",
    schema: { type: "integer", minimum: 1 },
  },
  RateLimitLimit: {
    description: "How many calls one address may make in the window that is nearest to its end.",
    schema: count,
  },
  RateLimitRemaining: { description: "How many of these calls are left.", schema: count },
  RateLimitReset: { description: "Whole seconds until all of them are there again.", schema: count },
  Authenticate: { description: "`Bearer`: a credential is missing or no longer good.", schema: { type: "string" } },
  IgnoredKeys: {
    description: "The keys of the body that mean nothing here, where there were any: look for a misspelled one.",
    schema: { type: "string" },
  },
  Location: { description: "The address to go to.", schema: { type: "string", format: "uri" } },
}

const refer = (name: string): Json => ({ $ref: `#/components/headers/${name}` })

const limitHeaders: Json = {
  "RateLimit-Limit": refer("RateLimitLimit"),
  "RateLimit-Remaining": refer("RateLimitRemaining"),
  "RateLimit-Reset": refer("RateLimitReset"),
}

/** The headers of an answer with this status. `isLimited`: the route has a limit per address. */
export const headersOfAnswer = (status: number, isLimited: boolean): Json => ({
  "X-Request-Id": refer("RequestId"),
  ...(status === 302 ? { Location: refer("Location") } : undefined),
  ...(status === 401 ? { "WWW-Authenticate": refer("Authenticate") } : undefined),
  ...(status === 429 || status === 503 ? { "Retry-After": refer("RetryAfter") } : undefined),
  ...(isLimited ? limitHeaders : undefined),
})
