import type { Clock } from "@hearth/core"
import {
  buildApnsPayload,
  isPayloadTooLarge,
  type PushMessage,
  type PushOutcome,
  readTtl,
  writeExpiration,
} from "@hearth/core/push"
import { type PushClient, sendBatch } from "../send-batch.ts"
import type { PushTiming } from "../timing.ts"
import { type ApnsConnection, makeApnsConnection } from "./connection.ts"
import { type ApnsAccount, makeProviderToken } from "./provider-token.ts"
import { type ApnsVerdict, readApnsAnswer } from "./read-outcome.ts"

/** The addresses of APNs, without a slash at the end. Where both are the same there is no other environment. */
export type ApnsAddresses = Readonly<Record<ApnsAccount["environment"], string>>

/** Apple's own. */
export const appleAddresses: ApnsAddresses = {
  production: "https://api.push.apple.com",
  sandbox: "https://api.sandbox.push.apple.com",
}

// As many as one connection takes: further ones wait there.
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

/** Sends through APNs over HTTP/2 (docs/push.md): a connection per environment, made when it is needed. */
export const makeApnsClient = (
  account: ApnsAccount,
  addresses: ApnsAddresses,
  clock: Clock,
  timing: PushTiming,
): PushClient => {
  const token = makeProviderToken(account, clock)
  const own = openEnvironment(addresses[account.environment], timing)
  const otherAddress = addresses[account.environment === "production" ? "sandbox" : "production"]
  const other = otherAddress === addresses[account.environment] ? null : openEnvironment(otherAddress, timing)

  const post = async ({ connection, prefix }: Environment, message: PushMessage, payload: string) => {
    const { collapse_id } = message.options
    const collapseId = collapse_id === undefined ? undefined : (writeCollapseId(collapse_id) ?? undefined)
    const headers = {
      ...writeHeaders(account.topic, message, collapseId, clock.now()),
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
      if (renewed === null) return { kind: "misconfigured", reason: verdict.reason } as const
      jwt = renewed
      verdict = await ask(jwt)
    }
    return verdict
  }

  /** A device that one environment does not know is dead where the other does not know it either. */
  const conclude = async (
    verdict: Exclude<ApnsVerdict, { kind: "token_refused" }>,
    retry: () => ReturnType<typeof post>,
  ) => {
    if (verdict.kind !== "unknown_device") return verdict
    const { reason } = verdict
    const there = other === null ? verdict : await retry()
    if (there.kind === "unknown_device") return { kind: "dead_token", reason, since: null } as const
    return ["sent", "retry", "unknown", "dead_token"].includes(there.kind)
      ? there
      : ({ kind: "rejected", reason } as const)
  }

  const sendOne = async (message: PushMessage): Promise<PushOutcome> => {
    const refused = refuseEarly(message, account.topic)
    if (refused !== null) return refused
    const payload = JSON.stringify(buildApnsPayload(message))
    if (isPayloadTooLarge(payload)) return { kind: "rejected", reason: "PayloadTooLarge" }
    return conclude(await post(own, message, payload), () => post(other ?? own, message, payload))
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
