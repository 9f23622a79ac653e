import type { ErrorCode } from "./generated/error-codes.ts"

/** Codes that the client gives itself, where there is no answer of the service. */
export type LocalErrorCode =
  /** There is no answer: no network, or the connection broke. */
  | "NETWORK_ERROR"
  /** The answer took too long. */
  | "TIMEOUT"
  /** An answer that is not the service's: of a proxy, say. */
  | "UNKNOWN_ANSWER"
  /** The storage cannot be read or written; the value is kept in memory. */
  | "STORAGE_FAILED"
  /** An event was dropped, because more are waiting than may be kept: the oldest goes first. */
  | "QUEUE_FULL"
  /** The platform's `fetch` cannot stream: that of React Native. */
  | "NO_STREAMS"
  /** `onEvent` of a stream has thrown `cause`. */
  | "LISTENER_FAILED"
  /** An event cannot be written as JSON. */
  | "NOT_JSON"

interface Fields {
  readonly status?: number
  readonly details?: unknown
  readonly requestId?: string | null
  readonly retryAfter?: number | null
  readonly cause?: unknown
}

/** A call that was refused or had no answer. */
export class HearthError extends Error {
  override readonly name = "HearthError"
  /** What it is, in SCREAMING_SNAKE: a code of `docs/errors.md`, or a `LocalErrorCode`. */
  readonly code: ErrorCode | LocalErrorCode | (string & {})
  /** The status of the answer; 0 where there was none. */
  readonly status: number
  readonly details: unknown
  /** The id by which the operator finds the call in the log. */
  readonly requestId: string | null
  /** For how many seconds to wait before the next try, where the service has said so. */
  readonly retryAfter: number | null

  constructor(code: HearthError["code"], message: string, fields: Fields = {}) {
    super(message, "cause" in fields ? { cause: fields.cause } : undefined)
    this.code = code
    this.status = fields.status ?? 0
    this.details = fields.details ?? null
    this.requestId = fields.requestId ?? null
    this.retryAfter = fields.retryAfter ?? null
  }
}

/** The seconds of a `Retry-After`, which is a number or a date. */
const readRetryAfter = (header: string | null): number | null => {
  if (header === null) return null
  if (/^\d+$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - Date.now()) / 1000))
}

const parse = (text: string): { readonly code?: unknown; readonly message?: unknown; readonly details?: unknown } => {
  try {
    return JSON.parse(text)?.error ?? {}
  } catch {
    return {}
  }
}

/** The error of an answer that is none of success. */
export const readError = async (response: Response): Promise<HearthError> => {
  const { status, headers } = response
  const { code, message, details } = parse(await response.text().catch(() => ""))
  return new HearthError(
    typeof code === "string" ? code : "UNKNOWN_ANSWER",
    typeof message === "string" ? message : `The answer is ${status}, and not from the service.`,
    { status, details, requestId: headers.get("x-request-id"), retryAfter: readRetryAfter(headers.get("retry-after")) },
  )
}
