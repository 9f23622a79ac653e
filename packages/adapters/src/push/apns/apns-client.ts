import type { Clock } from "@hearth/core"
import type { PushMessage, PushOutcome } from "@hearth/core/push"
import { buildApnsPayload, isPayloadTooLarge, readTtl, writeExpiration } from "@hearth/core/push/sending"
import { type PushClient, sendBatch } from "../send-batch.ts"
import type { PushTiming } from "../timing.ts"
import { type ApnsConnection, makeApnsConnection } from "./connection.ts"
import { type ApnsAccount, makeProviderToken, type ProviderToken } from "./provider-token.ts"
import { type ApnsVerdict, readApnsAnswer } from "./read-outcome.ts"

/** The addresses of APNs, without a slash at the end. Where both are the same there is no other environment. */
export type ApnsAddresses = Readonly<Record<ApnsAccount["environment"], string>>

/** Apple's own. */
export const appleAddresses: ApnsAddresses = {
  production: "https://api.push.apple.com",
  sandbox: "https://api.sandbox.push.apple.com",
}

// More than one connection takes at once, so that none of it is ever idle: the others wait there.
const width = 500

const maxCollapseBytes = 64
const invalidKey: PushOutcome = { kind: "misconfigured", reason: "InvalidPrivateKey" }
// Apple's have at most 200 characters. Much longer ones could cost a connection.
const maxTokenLength = 1_000
const topicPattern = /^[A-Za-z0-9._-]{1,255}$/

/** The bytes of a text in UTF-8 as a header takes them; null where it cannot be one. */
const writeCollapseId = (id: string): string | null => {
  const bytes = Buffer.from(id, "utf8")
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a header.
  return bytes.length > maxCollapseBytes || /[\u0000-\u001f\u007f]/.test(id) ? null : bytes.toString("latin1")
}

/** A token as a segment of a path, which no token can leave. */
const writeToken = (token: string): string =>
  encodeURIComponent(token).replace(/^\.+$/, (dots) => "%2E".repeat(dots.length))

interface Environment {
  readonly connection: ApnsConnection
  /** The path before `/3/device/…`. */
  readonly prefix: string
}

const openEnvironment = (address: string, timing: PushTiming): Environment => {
  const { origin, pathname } = new URL(address)
  return { connection: makeApnsConnection(origin, timing), prefix: pathname.replace(/\/+$/, "") }
}

/** What every push of an account has, and what is its own. */
const writeHeaders = (topic: string, message: PushMessage, collapseId: string | undefined, now: Date) => ({
  ":method": "POST",
  "content-type": "application/json",
  "apns-topic": topic,
  "apns-push-type": "alert",
  "apns-priority": "10",
  "apns-expiration": writeExpiration(readTtl(message.options), now),
  "apns-id": message.delivery_id,
  ...(collapseId === undefined ? undefined : { "apns-collapse-id": collapseId }),
})

/** What is refused here, so that no connection is spent on it. */
const refuseEarly = ({ token, options }: PushMessage, topic: string): PushOutcome | null => {
  if (!topicPattern.test(topic)) return { kind: "misconfigured", reason: "BadTopic" }
  if (writeToken(token).length > maxTokenLength) return { kind: "dead_token", reason: "BadDeviceToken", since: null }
  if (options.collapse_id !== undefined && writeCollapseId(options.collapse_id) === null)
    return { kind: "bad_payload", reason: "BadCollapseId" }
  return null
}

type Post = (environment: Environment, message: PushMessage, payload: string) => Promise<Posted>
type Posted = Exclude<ApnsVerdict, { readonly kind: "token_refused" }>

/** Posts to an environment; once more where the provider token was refused. */
const makePost =
  ({ topic }: ApnsAccount, token: ProviderToken, clock: Clock): Post =>
  async ({ connection, prefix }, message, payload) => {
    const { collapse_id } = message.options
    const collapseId = collapse_id === undefined ? undefined : (writeCollapseId(collapse_id) ?? undefined)
    const headers = {
      ...writeHeaders(topic, message, collapseId, clock.now()),
      ":path": `${prefix}/3/device/${writeToken(message.token)}`,
    }
    const ask = async (jwt: string) => {
      const answer = await connection.request({ ...headers, authorization: `bearer ${jwt}` }, payload)
      return readApnsAnswer(answer, message.delivery_id, clock.now())
    }
    let jwt = await token.current()
    let verdict = await ask(jwt)
    // Ends with null: of two tokens in a row that were refused within 20 minutes, the second is not replaced.
    while (verdict.kind === "token_refused") {
      const renewed = await token.renew(jwt)
      if (renewed === null) return { kind: "misconfigured", reason: verdict.reason }
      jwt = renewed
      verdict = await ask(jwt)
    }
    return verdict
  }

/** What becomes of a push to a device that its environment does not know, by what the other one says; null where there is no other. */
const concludeUnknown = (reason: string, there: Posted | null): PushOutcome => {
  if (there === null || there.kind === "unknown_device") return { kind: "dead_token", reason, since: null }
  const says =
    there.kind === "sent" || there.kind === "retry" || there.kind === "unknown" || there.kind === "dead_token"
  return says ? there : { kind: "rejected", reason }
}

/** Sends through APNs over HTTP/2 (docs/push.md): a connection per environment, made when it is needed. */
export const makeApnsClient = (
  account: ApnsAccount,
  addresses: ApnsAddresses,
  clock: Clock,
  timing: PushTiming,
): PushClient => {
  const token = makeProviderToken(account, clock)
  const post = makePost(account, token, clock)
  const address = addresses[account.environment]
  const otherAddress = addresses[account.environment === "production" ? "sandbox" : "production"]
  const own = openEnvironment(address, timing)
  const other = otherAddress === address ? null : openEnvironment(otherAddress, timing)

  const sendOne = async (message: PushMessage): Promise<PushOutcome> => {
    const refused = refuseEarly(message, account.topic)
    if (refused !== null) return refused
    const payload = JSON.stringify(buildApnsPayload(message))
    if (isPayloadTooLarge(payload)) return { kind: "rejected", reason: "PayloadTooLarge" }
    const posted = await post(own, message, payload)
    if (posted.kind !== "unknown_device") return posted
    return concludeUnknown(posted.reason, other === null ? null : await post(other, message, payload))
  }

  return {
    send: async (messages, stopping) => {
      const key = await token.current().catch(() => null)
      if (key === null) return messages.map(() => invalidKey)
      return sendBatch(messages, { width, timing, sendOne }, stopping)
    },
    close: async () => {
      await Promise.all([own.connection.close(), other?.connection.close()])
    },
  }
}
