import { Result } from "effect"
import { Base64, Hex } from "effect/encoding"
import type { PaywallSettings } from "../integrations/credentials.ts"
import type { Signatures } from "../ports/signatures.ts"

/** A webhook of the paywall provider as it comes in, before anything of it is believed. */
export interface SignedWebhook {
  /** The bytes as they were sent: a signature is over these. */
  readonly bytes: Uint8Array
  readonly header: (name: string) => string | null
}

/** The scheme and the secret of an integration. */
export type SignatureSettings = Pick<PaywallSettings, "signature_scheme" | "webhook_secret">

const utf8 = new TextEncoder()

// How far the clocks of sender and receiver may be apart, either way [H3.1].
const toleranceSeconds = 300

/** Each family of headers of Standard Webhooks: the general names, and those of Svix. */
const families = ["webhook", "svix"] as const

/** The headers of a message of Standard Webhooks: of one family, all three of them. Null where there are none. */
export const readStandardHeaders = ({ header }: Pick<SignedWebhook, "header">) => {
  for (const family of families) {
    const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((name) => header(`${family}-${name}`) ?? "")
    if (id && timestamp && signature) return { id, timestamp, signature }
  }
  return null
}

const base64 = /^[\w+/-]+={0,2}$/

const decodeKey = (text: string): Uint8Array | null => {
  const plain = text.replaceAll("-", "+").replaceAll("_", "/").replace(/=+$/, "")
  const padded = plain.padEnd(Math.ceil(plain.length / 4) * 4, "=")
  return base64.test(text) ? Result.getOrElse(Base64.decode(padded), () => null) : null
}

/**
 * The keys that a secret may stand for. With `whsec_` it is base64 by the standard; without, a sender may have taken it for base64 or
 * for text, so that either is accepted. What is no base64 is text.
 */
const readKeys = (secret: string): ReadonlyArray<Uint8Array> => {
  const rest = secret.startsWith("whsec_") ? secret.slice("whsec_".length) : secret
  const decoded = decodeKey(rest)
  const isText = decoded === null || decoded.length === 0 || rest === secret
  return [...(decoded === null || decoded.length === 0 ? [] : [decoded]), ...(isText ? [utf8.encode(rest)] : [])]
}

const join = (start: string, bytes: Uint8Array): Uint8Array => {
  const head = utf8.encode(start)
  const all = new Uint8Array(head.length + bytes.length)
  all.set(head)
  all.set(bytes, head.length)
  return all
}

/** Whether any of `given` is one of `expected`: all are compared, so that the time does not tell which one is. */
const matchesAny = (signatures: Signatures, expected: ReadonlyArray<string>, given: ReadonlyArray<string>): boolean => {
  let matches = false
  for (const text of expected) {
    const bytes = utf8.encode(text)
    for (const other of given) matches = signatures.equal(bytes, utf8.encode(other)) || matches
  }
  return matches
}

const isTimely = (timestamp: string, now: Date): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(now.getTime() / 1_000 - Number(timestamp)) <= toleranceSeconds

/** What Standard Webhooks signs. */
const signedBytes = (id: string, timestamp: string, bytes: Uint8Array) => join(`${id}.${timestamp}.`, bytes)

const checkStandard = (signatures: Signatures, secret: string, webhook: SignedWebhook, now: Date): boolean => {
  const sent = readStandardHeaders(webhook)
  if (sent === null || !isTimely(sent.timestamp, now)) return false
  const signed = signedBytes(sent.id, sent.timestamp, webhook.bytes)
  const expected = readKeys(secret).map((key) => `v1,${Base64.encode(signatures.hmacSha256(key, signed))}`)
  // Others are of versions to come, or of the old key while the sender rotates.
  const given = sent.signature.split(" ").filter((each) => each.startsWith("v1,"))
  return matchesAny(signatures, expected, given)
}

const hexHeader = "x-paywall-signature"

const signHex = (signatures: Signatures, secret: string, bytes: Uint8Array): string =>
  Hex.encode(signatures.hmacSha256(utf8.encode(secret), bytes))

const checkHex = (signatures: Signatures, secret: string, { header, bytes }: SignedWebhook): boolean =>
  matchesAny(signatures, [signHex(signatures, secret, bytes)], [header(hexHeader) ?? ""])

/**
 * Whether a webhook of the paywall provider is signed with the secret, in exactly the configured scheme [H3.1, E8]. `hex`: the
 * HMAC-SHA256 of the body in lower-case hex in `x-paywall-signature`. `standard`: that of Standard Webhooks and Svix, in time.
 */
export const isPaywallSigned = (
  signatures: Signatures,
  { signature_scheme, webhook_secret }: SignatureSettings,
  webhook: SignedWebhook,
  now: Date,
): boolean =>
  signature_scheme === "hex"
    ? checkHex(signatures, webhook_secret, webhook)
    : checkStandard(signatures, webhook_secret, webhook, now)

/** The headers with which `isPaywallSigned` takes a message, as the provider would send them. */
export const signPaywall = (
  signatures: Signatures,
  { signature_scheme, webhook_secret }: SignatureSettings,
  { id, bytes }: { readonly id: string; readonly bytes: Uint8Array },
  now: Date,
): Readonly<Record<string, string>> => {
  if (signature_scheme === "hex") return { [hexHeader]: signHex(signatures, webhook_secret, bytes) }
  const timestamp = String(Math.floor(now.getTime() / 1_000))
  const [key = utf8.encode(webhook_secret)] = readKeys(webhook_secret)
  const signature = Base64.encode(signatures.hmacSha256(key, signedBytes(id, timestamp, bytes)))
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": `v1,${signature}` }
}
