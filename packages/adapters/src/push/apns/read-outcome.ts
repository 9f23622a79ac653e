import type { PushOutcome } from "@hearth/core/push"
import { type Answer, readMessageId, readObject, readReason, readRetryAfter } from "../answer.ts"

/** What an answer of APNs means: an outcome, or what has to be done before there is one. */
export type ApnsVerdict =
  | PushOutcome
  /** The provider token was refused: once more with a new one. */
  | { readonly kind: "token_refused"; readonly reason: string }
  /** The device is unknown in this environment. */
  | { readonly kind: "unknown_device"; readonly reason: string }

const payloadReasons = new Set([
  ...["BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "DuplicateHeaders", "InvalidPushType"],
  ...["MethodNotAllowed", "PayloadEmpty", "PayloadTooLarge"],
])
const configurationReasons = new Set(["BadTopic", "MissingTopic", "TopicDisallowed"])
const tokenReasons = new Set(["ExpiredProviderToken", "InvalidProviderToken", "MissingProviderToken"])

type Told = { readonly reason: string; readonly after_seconds: number | null; readonly since: Date | null }

const byReason = ({ reason, after_seconds, since }: Told): ApnsVerdict | null => {
  if (reason === "BadDeviceToken") return { kind: "unknown_device", reason }
  if (reason === "DeviceTokenNotForTopic") return { kind: "dead_token", reason, since: null }
  if (reason === "Unregistered" || reason === "ExpiredToken") return { kind: "dead_token", reason, since }
  if (tokenReasons.has(reason)) return { kind: "token_refused", reason }
  if (payloadReasons.has(reason)) return { kind: "bad_payload", reason }
  if (configurationReasons.has(reason)) return { kind: "misconfigured", reason }
  if (reason === "IdleTimeout" || reason === "Shutdown") return { kind: "retry", reason, after_seconds }
  return null
}

const byStatus = (status: number, { reason, after_seconds, since }: Told): ApnsVerdict => {
  if (status === 403) return { kind: "misconfigured", reason }
  if (status === 410) return { kind: "dead_token", reason, since }
  if (status === 413) return { kind: "bad_payload", reason }
  if (status === 429) return { kind: "retry", reason, after_seconds }
  // A gateway that got no answer does not know whether the push was accepted.
  if (status >= 500 && status !== 504) return { kind: "retry", reason, after_seconds }
  return { kind: status >= 400 && status < 500 ? "rejected" : "unknown", reason }
}

const readSince = (timestamp: unknown): Date | null => {
  const since = new Date(typeof timestamp === "number" ? timestamp : Number.NaN)
  return Number.isNaN(since.getTime()) ? null : since
}

/** What an answer of APNs means, by the table of its reasons, else by its status (docs/push.md). `delivery_id` is the push's `apns-id`. */
export const readApnsAnswer = (answer: Answer, delivery_id: string, now: Date): ApnsVerdict => {
  if (answer.kind !== "answered") {
    const { kind, reason } = answer
    return kind === "not_sent" ? { kind: "retry", reason, after_seconds: null } : { kind: "unknown", reason }
  }
  const { status, message_id } = answer
  if (status === 200) return { kind: "sent", provider_message_id: readMessageId(message_id) ?? delivery_id }
  const body = readObject(answer.body)
  const told: Told = {
    reason: readReason(body?.["reason"], `HTTP_${status}`),
    after_seconds: readRetryAfter(answer.retry_after, now),
    since: readSince(body?.["timestamp"]),
  }
  return (status >= 400 && status < 500 ? byReason(told) : null) ?? byStatus(status, told)
}
