import type { FailureDetails, FailureKind } from "@hearth/core"

/** What an error answer is made of; failures and their classes both have it. */
export interface Refusal {
  readonly code: string
  readonly kind: FailureKind
  readonly message: string
  readonly details?: FailureDetails
}

const statusOfKind: Readonly<Record<FailureKind, number>> = {
  invalid: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  internal: 500,
  upstream: 502,
  unavailable: 503,
}

// The core has no kinds for these: they are of HTTP only.
const statusOfCode: Readonly<Record<string, number>> = {
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  HEADERS_TOO_LARGE: 431,
}

/** The status that a failure is answered with [A3]. */
export const statusOf = ({ kind, code }: Pick<Refusal, "kind" | "code">): number =>
  statusOfCode[code] ?? statusOfKind[kind]

/** The answer to an unexpected fault. Its cause goes to the log only. */
export const makeInternalError = (code = "INTERNAL_ERROR"): Refusal => ({
  code,
  kind: "internal",
  message: "Something went wrong on our side.",
})

const retryAfter = (details: FailureDetails | undefined): string => {
  const seconds = details?.["retry_after_seconds"]
  return String(typeof seconds === "number" && Number.isFinite(seconds) ? Math.max(1, Math.ceil(seconds)) : 1)
}

/** The headers that belong to the status of a refusal. */
export const refusalHeaders = (status: number, { details }: Refusal): Record<string, string> => {
  if (status === 401) return { "www-authenticate": "Bearer" }
  if (status === 429 || status === 503) return { "retry-after": retryAfter(details) }
  return {}
}

/** The body of an error answer [A2]. */
export const errorBody = ({ code, message, details }: Refusal, requestId: string) => ({
  error:
    details === undefined || Object.keys(details).length === 0
      ? { code, message, request_id: requestId }
      : { code, message, details, request_id: requestId },
})
