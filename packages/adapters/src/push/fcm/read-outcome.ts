import type { PushOutcome } from "@hearth/core/push"
import { type Answer, readMessageId, readObject, readReason, readRetryAfter } from "../answer.ts"

/** What an answer of FCM means: an outcome, or what has to be done before there is one. */
export type FcmVerdict =
  | PushOutcome
  /** The access token was refused: once more with a new one. */
  | { readonly kind: "token_refused"; readonly reason: string }
  /** The token of the device is malformed, unless the fault is the payload's: others of the batch tell. */
  | { readonly kind: "malformed_token"; readonly reason: string }

type Fields = Readonly<Record<string, unknown>>

const fcmError = "type.googleapis.com/google.firebase.fcm.v1.FcmError"
const badRequest = "type.googleapis.com/google.rpc.BadRequest"

// Where FCM says nothing, as its documents recommend for quotas.
const quotaSeconds = 60

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null

/** What an error of FCM says. */
interface FcmFault {
  readonly code: string | null
  /** Whether the code is FCM's own, not only that of the API in general. */
  readonly isOwn: boolean
  readonly violations: "none" | "token" | "payload"
}

const readFault = (body: Fields | null): FcmFault => {
  const error = isFields(body?.["error"]) ? body["error"] : {}
  const details = Array.isArray(error["details"]) ? error["details"].filter(isFields) : []
  const own = details.find((detail) => detail["@type"] === fcmError && typeof detail["errorCode"] === "string")
  const request = details.find((detail) => detail["@type"] === badRequest)
  const found = request?.["fieldViolations"]
  const violations = Array.isArray(found) ? found.filter(isFields) : []
  const areOfToken = violations.every(({ field }) => field === "message.token")
  const code = readReason(own?.["errorCode"] ?? error["status"], "")
  return {
    code: code === "" ? null : code,
    isOwn: own !== undefined,
    violations: violations.length === 0 ? "none" : areOfToken ? "token" : "payload",
  }
}

const readInvalidArgument = ({ isOwn, violations }: FcmFault): FcmVerdict => {
  const reason = "INVALID_ARGUMENT"
  if (violations === "payload") return { kind: "bad_payload", reason }
  return isOwn || violations === "token" ? { kind: "malformed_token", reason } : { kind: "rejected", reason }
}

const byCode = (fault: FcmFault, after_seconds: number | null): FcmVerdict | null => {
  switch (fault.code) {
    case "UNREGISTERED":
    case "NOT_FOUND":
    case "SENDER_ID_MISMATCH":
      return { kind: "dead_token", reason: fault.code, since: null }
    case "THIRD_PARTY_AUTH_ERROR":
    case "PERMISSION_DENIED":
      return { kind: "misconfigured", reason: fault.code }
    case "UNAUTHENTICATED":
      return { kind: "token_refused", reason: fault.code }
    case "INVALID_ARGUMENT":
      return readInvalidArgument(fault)
    case "QUOTA_EXCEEDED":
    case "RESOURCE_EXHAUSTED":
      return { kind: "retry", reason: fault.code, after_seconds: after_seconds ?? quotaSeconds }
    case "INTERNAL":
    case "UNAVAILABLE":
      return { kind: "retry", reason: fault.code, after_seconds }
    default:
      return null
  }
}

const byStatus = (status: number, reason: string, after_seconds: number | null): FcmVerdict => {
  if (status === 401) return { kind: "token_refused", reason }
  if (status === 403) return { kind: "misconfigured", reason }
  if (status === 429) return { kind: "retry", reason, after_seconds: after_seconds ?? quotaSeconds }
  // A gateway that got no answer does not know whether the push was accepted.
  if (status >= 500 && status !== 504) return { kind: "retry", reason, after_seconds }
  return { kind: status >= 400 && status < 500 ? "rejected" : "unknown", reason }
}

/** What an answer of FCM means, by its code, else by its status (docs/push.md). */
export const readFcmAnswer = (answer: Answer, now: Date): FcmVerdict => {
  if (answer.kind !== "answered") {
    const { kind, reason } = answer
    return kind === "not_sent" ? { kind: "retry", reason, after_seconds: null } : { kind: "unknown", reason }
  }
  const { status } = answer
  const body = readObject(answer.body)
  if (status === 200) return { kind: "sent", provider_message_id: readMessageId(body?.["name"]) }
  const fault = readFault(body)
  const after_seconds = readRetryAfter(answer.retry_after, now)
  return (
    (status >= 400 ? byCode(fault, after_seconds) : null) ??
    byStatus(status, fault.code ?? `HTTP_${status}`, after_seconds)
  )
}
