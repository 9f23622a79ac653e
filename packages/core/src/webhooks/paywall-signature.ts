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

const checkStandard = (signatures: Signatures, secret: string, webhook: SignedWebhook, now: Date): boolean => {
  const sent = readStandardHeaders(webhook)
  if (sent === null || !isTimely(sent.timestamp, now)) return false
  const signed = join(`${sent.id}.${sent.timestamp}.`, webhook.bytes)
  const expected = readKeys(secret).map((key) => `v1,${Base64.encode(signatures.hmacSha256(key, signed))}`)
  // Others are of versions to come, or of the old key while the sender rotates.
  const given = sent.signature.split(" ").filter((each) => each.startsWith("v1,"))
  return matchesAny(signatures, expected, given)
}

const checkHex = (signatures: Signatures, secret: string, { header, bytes }: SignedWebhook): boolean => {
  const expected = Hex.encode(signatures.hmacSha256(utf8.encode(secret), bytes))
  return matchesAny(signatures, [expected], [header("x-paywall-signature") ?? ""])
}

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
