import type { Clock } from "@hearth/core"
import type { PushMessage, PushOutcome } from "@hearth/core/push"
import { buildFcmMessage, isFcmMessageTooLarge } from "@hearth/core/push/sending"
import { type PushClient, sendBatch } from "../send-batch.ts"
import type { PushTiming } from "../timing.ts"
import { type AccessToken, type FcmAccount, makeAccessTokens } from "./access-token.ts"
import { makeHttpPool } from "./http-pool.ts"
import { type FcmVerdict, readFcmAnswer } from "./read-outcome.ts"

const googleAddress = "https://fcm.googleapis.com"

// Over HTTP/2 a few connections carry as many.
const width = 256

type Concluded = Exclude<FcmVerdict, { readonly kind: "token_refused" }>

const writeHeaders = (accessToken: string): ReadonlyArray<string> => [
  ...["authorization", `Bearer ${accessToken}`],
  ...["content-type", "application/json; charset=utf-8"],
]

/** A malformed token is dead where FCM took the same push for others: then the fault is not the payload's (docs/push.md). */
const concludeMalformed = (outcomes: ReadonlyArray<Concluded>): ReadonlyArray<PushOutcome> => {
  const isPayloadGood = outcomes.some(({ kind }) => kind === "sent")
  return outcomes.map((outcome) => {
    if (outcome.kind !== "malformed_token") return outcome
    const { reason } = outcome
    return isPayloadGood ? { kind: "dead_token", reason, since: null } : { kind: "rejected", reason }
  })
}

/** Sends through FCM's HTTP v1 interface (docs/push.md), a request per push: to Google, or to `pushBUrl`. */
export const makeFcmClient = (
  account: FcmAccount,
  pushBUrl: string | null,
  clock: Clock,
  timing: PushTiming,
): PushClient => {
  const { origin, pathname } = new URL(pushBUrl ?? googleAddress)
  const project = encodeURIComponent(account.service_account.project_id)
  const path = `${pathname.replace(/\/+$/, "")}/v1/projects/${project}/messages:send`
  const tokens = makeAccessTokens(account, pushBUrl, clock, timing.answerMillis)
  const pool = makeHttpPool(origin, timing)
  let headers: { readonly token: string; readonly written: ReadonlyArray<string> } | null = null

  const ask = async (token: string, body: string) => {
    if (headers?.token !== token) headers = { token, written: writeHeaders(token) }
    return readFcmAnswer(await pool.post(path, headers.written, body), clock.now())
  }
  const post = async (
    token: Exclude<AccessToken, { kind: "misconfigured" | "retry" }>,
    body: string,
  ): Promise<Concluded> => {
    const verdict = await ask(token.value, body)
    if (verdict.kind !== "token_refused") return verdict
    const renewed = await tokens.renew(token.value)
    if (renewed.kind !== "token") return renewed
    const again = await ask(renewed.value, body)
    return again.kind === "token_refused" ? { kind: "misconfigured", reason: again.reason } : again
  }
  const sendOne = async (message: PushMessage): Promise<Concluded> => {
    const built = buildFcmMessage(message, clock.now())
    if (isFcmMessageTooLarge(built)) return { kind: "rejected", reason: "PayloadTooLarge" }
    const token = await tokens.current()
    return token.kind === "token" ? post(token, JSON.stringify({ message: built })) : token
  }
  return {
    send: async (messages, stopping) =>
      concludeMalformed(await sendBatch<Concluded>(messages, { width, timing, sendOne }, stopping)),
    close: pool.close,
  }
}
