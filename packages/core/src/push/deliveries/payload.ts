import type { JsonObject } from "../../schema.ts"
import type { PushOptions } from "../campaign.ts"
import type { PushProvider } from "../push-token.ts"
import type { PushMessage } from "./gateway.ts"

/** How many bytes a filled payload may have, with either provider [H4.3]. */
export const maxPayloadBytes = 4096

// FCM keeps nothing for longer, and refuses to be asked for it.
const maxTtlSeconds = 28 * 86_400
const defaultTtlSeconds = 3 * 86_400

/** For how many seconds a provider keeps a push for a device that is off: 3 days unless the options say otherwise, at most 28. */
export const readTtl = ({ ttl_seconds }: PushOptions): number =>
  Math.min(ttl_seconds ?? defaultTtlSeconds, maxTtlSeconds)

const utf8 = new TextEncoder()

/** The length of a text in UTF-8. */
const countBytes = (text: string): number => utf8.encode(text).length

/** Whether a payload, as JSON, has more than `maxPayloadBytes` in UTF-8. */
export const isPayloadTooLarge = (json: string): boolean =>
  // No UTF-16 unit takes more than three bytes, so most texts need not be encoded to be measured.
  json.length > maxPayloadBytes || (json.length * 3 > maxPayloadBytes && countBytes(json) > maxPayloadBytes)

/** What APNs hands to the app: `aps`, the campaign's `data` [H4.4], and beside them what the app needs for receipts and its image. */
export interface ApnsPayload {
  readonly aps: {
    readonly alert: { readonly title: string; readonly body: string }
    readonly sound?: string
    readonly badge?: number
    readonly "mutable-content"?: 1
  }
  readonly data: JsonObject
  readonly delivery_id: string
  readonly image_url?: string
}

/** The payload of a push through APNs. An app shows the image by its notification service extension, so it comes with `mutable-content`. */
export const buildApnsPayload = ({ delivery_id, title, body, data, options }: PushMessage): ApnsPayload => ({
  aps: { alert: { title, body }, ...buildAps(options) },
  data,
  delivery_id,
  ...(options.image_url === undefined ? undefined : { image_url: options.image_url }),
})

const buildAps = ({ sound, badge, image_url }: PushOptions) => ({
  ...(sound === undefined ? undefined : { sound }),
  ...(badge === undefined ? undefined : { badge }),
  ...(image_url === undefined ? undefined : { "mutable-content": 1 as const }),
})

type TextData = Readonly<Record<string, string>>

/** A message of FCM's HTTP v1 interface, to one token. */
export interface FcmMessage {
  readonly token: string
  readonly notification: { readonly title: string; readonly body: string; readonly image?: string }
  /** The campaign's `data`, every value as text [H4.4]. */
  readonly data: TextData
  readonly android: {
    readonly priority: "HIGH"
    readonly ttl: string
    readonly collapse_key?: string
    readonly data: TextData
    readonly notification?: { readonly sound?: string; readonly notification_count?: number; readonly tag?: string }
  }
  readonly apns: {
    readonly headers: Readonly<Record<string, string>>
    readonly payload: JsonObject
  }
  readonly webpush: {
    readonly headers: Readonly<Record<string, string>>
    readonly data: TextData
    readonly notification?: { readonly tag: string }
  }
}

const writeValues = (data: JsonObject): TextData =>
  Object.fromEntries(
    Object.entries(data).map(([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)]),
  )

/**
 * The message of a push through FCM at `now`. `data` is the campaign's and nothing else; what each platform is handed instead of it
 * has `delivery_id` too, for receipts.
 */
export const buildFcmMessage = (
  { delivery_id, token, title, body, data, options }: PushMessage,
  now: Date,
): FcmMessage => {
  const { sound, badge, image_url, collapse_id } = options
  const ttl = readTtl(options)
  const values = writeValues(data)
  const handed = { ...values, delivery_id }
  const shown = {
    ...(sound === undefined ? undefined : { sound }),
    ...(badge === undefined ? undefined : { notification_count: badge }),
    ...(collapse_id === undefined ? undefined : { tag: collapse_id }),
  }
  return {
    token,
    notification: { title, body, ...(image_url === undefined ? undefined : { image: image_url }) },
    data: values,
    android: {
      priority: "HIGH",
      ttl: `${ttl}s`,
      ...(collapse_id === undefined ? undefined : { collapse_key: collapse_id }),
      data: handed,
      ...(Object.keys(shown).length === 0 ? undefined : { notification: shown }),
    },
    apns: {
      headers: {
        "apns-priority": "10",
        "apns-expiration": writeExpiration(ttl, now),
        ...(collapse_id === undefined ? undefined : { "apns-collapse-id": collapse_id }),
      },
      payload: { aps: buildAps(options), delivery_id },
    },
    webpush: {
      headers: { TTL: `${ttl}`, Urgency: "high" },
      data: handed,
      ...(collapse_id === undefined ? undefined : { notification: { tag: collapse_id } }),
    },
  }
}

/** APNs' `apns-expiration`: the Unix time after which a push is not kept; 0 is not kept at all. */
export const writeExpiration = (ttlSeconds: number, now: Date): string =>
  ttlSeconds === 0 ? "0" : `${Math.floor(now.getTime() / 1000) + ttlSeconds}`

/**
 * The part of a message that counts for FCM, as JSON: what one device is handed. A message has it once per platform, and no device
 * gets more than one.
 */
const writeCountedPart = ({ notification, android }: FcmMessage): string =>
  JSON.stringify({ notification, data: android.data })

/** Whether a message has more than `maxPayloadBytes`: its notification and the data of one platform, as JSON in UTF-8 [H4.3]. */
export const isFcmMessageTooLarge = (message: FcmMessage): boolean => isPayloadTooLarge(writeCountedPart(message))

/** What a provider would be sent for a push at `now`; null where that is too large [H4.3]. */
export const buildPayload = (
  provider: PushProvider,
  message: PushMessage,
  now: Date,
): ApnsPayload | FcmMessage | null => {
  if (provider === "push_a") {
    const payload = buildApnsPayload(message)
    return isPayloadTooLarge(JSON.stringify(payload)) ? null : payload
  }
  const built = buildFcmMessage(message, now)
  return isFcmMessageTooLarge(built) ? null : built
}
