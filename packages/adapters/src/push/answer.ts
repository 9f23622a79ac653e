/** What came of one request to a provider. */
export type Answer =
  /** It was answered. `body` is at most 64 KB, and empty or cut off where the rest did not come. */
  | {
      readonly kind: "answered"
      readonly status: number
      readonly body: string
      readonly retry_after: string | null
      readonly message_id: string | null
    }
  /** The provider has certainly not processed it (`not_sent`), or nobody knows (`unanswered`). */
  | { readonly kind: "not_sent" | "unanswered"; readonly reason: string }

/** How many bytes of an answer are read. Answers of the providers are far shorter. */
export const maxAnswerBytes = 64 * 1024

const reasonPattern = /^[A-Za-z0-9_.-]{1,64}$/

/** `value` where it is a reason code; otherwise `otherwise`, so that nothing else that a provider wrote gets into rows and logs [H4.2]. */
export const readReason = (value: unknown, otherwise: string): string =>
  typeof value === "string" && reasonPattern.test(value) ? value : otherwise

/** The id that a provider gives to a push, at most 255 characters without a space; null for anything else. */
export const readMessageId = (value: unknown): string | null =>
  typeof value === "string" && /^[\x21-\x7E]{1,255}$/.test(value) ? value : null

/** The code of an error of node or of a library. Messages are left out: they may repeat what was sent. */
export const readErrorCode = (error: unknown, otherwise: string): string =>
  readReason((error as { readonly code?: unknown } | null | undefined)?.code, otherwise)

// Longer than a delivery is tried for.
const longestWaitSeconds = 86_400

/** The seconds of a `Retry-After` header, which is a number or a date; null where it is neither. At most a day. */
export const readRetryAfter = (value: string | null, now: Date): number | null => {
  if (value === null) return null
  const text = value.trim()
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now.getTime()) / 1000)
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), longestWaitSeconds)
}

/** The object that a body is, as JSON; null for any other text. */
export const readObject = (body: string): Readonly<Record<string, unknown>> | null => {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : null
  } catch {
    return null
  }
}
