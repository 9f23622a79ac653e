import type { Clock } from "@hearth/core"
import type { PushAccount } from "@hearth/core/push"
import { isTokenUri } from "@hearth/core/push/sending"
import { importPKCS8, SignJWT } from "jose"
import { maxAnswerBytes, readErrorCode, readObject, readReason, readRetryAfter } from "../answer.ts"

/** An account of FCM. */
export type FcmAccount = Extract<PushAccount, { readonly provider: "push_b" }>

/** An access token; or why there is none. */
export type AccessToken =
  | { readonly kind: "token"; readonly value: string }
  | { readonly kind: "misconfigured"; readonly reason: string }
  | { readonly kind: "retry"; readonly reason: string; readonly after_seconds: number | null }

/** The access token of an FCM account, exchanged when it is needed and kept until shortly before it expires. Neither rejects. */
export interface AccessTokens {
  current(): Promise<AccessToken>
  /** Another one than `refused`. */
  renew(refused: string): Promise<AccessToken>
}

const scope = "https://www.googleapis.com/auth/firebase.messaging"
const grantType = "urn:ietf:params:oauth:grant-type:jwt-bearer"
const lifetimeSeconds = 3600
// Longer than a batch takes.
const marginSeconds = 120
// For so long after a failure, nothing is asked for again: a batch of hundreds would.
const pauseMillis = 1_000

const signAssertion = async ({ service_account }: FcmAccount, now: Date): Promise<string> => {
  const { client_email, private_key, private_key_id, token_uri } = service_account
  const seconds = Math.floor(now.getTime() / 1000)
  const kid = typeof private_key_id === "string" ? { kid: private_key_id } : undefined
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: "RS256", typ: "JWT", ...kid })
    .setIssuer(client_email)
    .setAudience(token_uri)
    .setIssuedAt(seconds)
    .setExpirationTime(seconds + lifetimeSeconds)
    .sign(await importPKCS8(private_key, "RS256"))
}

const readBody = async (response: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) return ""
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString("utf8")
}

interface Exchanged {
  readonly token: AccessToken
  /** When it is to be exchanged anew. */
  readonly until: number
}

const readExchange = async (response: Response, now: Date): Promise<Exchanged> => {
  const { status } = response
  const body = readObject(await readBody(response))
  const until = now.getTime() + pauseMillis
  if (status === 200) {
    const { access_token, expires_in } = body ?? {}
    if (typeof access_token !== "string" || !/^[\x21-\x7E]{1,8192}$/.test(access_token))
      return { token: { kind: "retry", reason: "BadTokenAnswer", after_seconds: null }, until }
    const seconds =
      typeof expires_in === "number" && expires_in > 0 ? Math.min(expires_in, lifetimeSeconds) : lifetimeSeconds
    const margin = Math.min(marginSeconds, seconds / 2)
    return { token: { kind: "token", value: access_token }, until: now.getTime() + (seconds - margin) * 1000 }
  }
  const reason = readReason(body?.["error"], `HTTP_${status}`)
  if (status !== 429 && status < 500) return { token: { kind: "misconfigured", reason }, until }
  const after_seconds = readRetryAfter(response.headers.get("retry-after"), now)
  return { token: { kind: "retry", reason, after_seconds }, until }
}

/**
 * Exchanges assertions for access tokens at the service account's `token_uri`, one at a time. `pushBUrl` is where pushes go instead of
 * Google's servers, null where they do not: a `token_uri` that is neither Google's nor there is sent nothing [H4.2].
 */
export const makeAccessTokens = (
  account: FcmAccount,
  pushBUrl: string | null,
  clock: Clock,
  answerMillis: number,
): AccessTokens => {
  const { token_uri } = account.service_account
  let exchanging: Promise<Exchanged> | null = null
  let last: Exchanged | null = null

  const exchange = async (): Promise<Exchanged> => {
    const failed = (token: AccessToken): Exchanged => ({ token, until: clock.now().getTime() + pauseMillis })
    if (!isTokenUri(token_uri, pushBUrl)) return failed({ kind: "misconfigured", reason: "BadTokenUri" })
    const assertion = await signAssertion(account, clock.now()).catch(() => null)
    if (assertion === null) return failed({ kind: "misconfigured", reason: "InvalidPrivateKey" })
    try {
      const response = await fetch(token_uri, {
        method: "POST",
        body: new URLSearchParams({ grant_type: grantType, assertion }),
        headers: { accept: "application/json" },
        // The assertion is for the configured server and no other.
        redirect: "manual",
        signal: AbortSignal.timeout(answerMillis),
      })
      return await readExchange(response, clock.now())
    } catch (error) {
      const isLate = error instanceof Error && error.name === "TimeoutError"
      const reason = isLate ? "TokenTimeout" : readErrorCode((error as Error).cause, "TokenServerUnreachable")
      return failed({ kind: "retry", reason, after_seconds: null })
    }
  }
  const exchangeOnce = async (): Promise<AccessToken> => {
    exchanging ??= exchange().finally(() => {
      exchanging = null
    })
    last = await exchanging
    return last.token
  }
  const current = async () => (last !== null && clock.now().getTime() < last.until ? last.token : exchangeOnce())
  return {
    current,
    renew: async (refused) => {
      const isReplaced = last?.token.kind !== "token" || last.token.value !== refused
      return isReplaced ? current() : exchangeOnce()
    },
  }
}
