import { hash, sign as signBytes } from "node:crypto"
import {
  type Clock,
  refuseToken,
  type TokenClaims,
  type TokenFault,
  type TokenKind,
  type Tokens,
  type VerifiedClaims,
} from "@hearth/core"
import { Duration, Effect, Option } from "effect"
import { errors, type JWTHeaderParameters, jwtVerify } from "jose"
import { readClaims } from "./token-claims.ts"
import type { TokenKeys } from "./token-keys.ts"
import { cacheVerifiedTokens, type VerifiedToken } from "./verified-tokens.ts"

/** How long a token of each kind is valid. */
export type TokenLifetimes = Readonly<Record<TokenKind, Duration.Input>>

/** How tokens are signed and verified. */
export interface TokenSettings {
  readonly clock: Clock
  readonly keys: TokenKeys
  /** The `iss` of every token: who we are to those who verify with our public keys. */
  readonly issuer: string
  /** What differs from the lifetimes of [B4]. */
  readonly lifetimes?: Partial<TokenLifetimes>
  /** How many verified tokens are remembered, so that their signature is not checked again. */
  readonly remembered?: number
}

const LIFETIMES: TokenLifetimes = {
  session: "1 hour",
  refresh: "60 days",
  developer_access: "15 minutes",
  developer_refresh: "30 days",
}

/** `aud`, and with `+jwt` also `typ` [B5]. */
const AUDIENCES: Readonly<Record<TokenKind, string>> = {
  session: "hearth-session",
  refresh: "hearth-refresh",
  developer_access: "hearth-developer-access",
  developer_refresh: "hearth-developer-refresh",
}

const ALGORITHM = "EdDSA"

/** Ours are below 700 characters. Anything longer is refused before a byte of it is read. */
const MAX_CHARACTERS = 4096

/** Three parts, the last of which is 64 bytes in canonical base64url: otherwise one token could be written in sixteen ways. */
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]{85}[AQgw]$/

/** About half a kilobyte each. */
const REMEMBERED = 10_000

/**
 * The lifetimes of [B4] with what differs from them; what is undefined does not. Throws a `TypeError` where one is no time: effect reads
 * a unit that is misspelt as none, and tokens that end at once sign nobody in.
 */
export const readLifetimes = (differing: Partial<TokenLifetimes> = {}): TokenLifetimes => {
  const given = Object.entries(differing).filter(([, value]) => value !== undefined)
  for (const [kind, value] of given) {
    const millis = Option.match(Duration.fromInput(value), { onNone: () => Number.NaN, onSome: Duration.toMillis })
    if (!Number.isFinite(millis) || millis < 1000)
      throw new TypeError(
        `lifetimes.${kind} must be a time like "1 hour", of a second or more: ${JSON.stringify(value)} is none.`,
      )
  }
  return { ...LIFETIMES, ...Object.fromEntries(given) }
}

/** EdDSA JSON Web Tokens [B4, B5]. Every kind has its own `typ` and `aud`. */
export const joseTokens = (settings: TokenSettings): Tokens => {
  const { clock, keys } = settings
  const lifetimes = readLifetimes(settings.lifetimes)
  const remembered = cacheVerifiedTokens(settings.remembered ?? REMEMBERED)

  const headers = new Map<TokenKind, string>()
  /** The header of every token of a kind. */
  const findHeader = (kind: TokenKind): string => {
    const known = headers.get(kind)
    if (known !== undefined) return known
    const header = encode(JSON.stringify({ alg: ALGORITHM, kid: keys.signing.kid, typ: typeOf(kind) }))
    headers.set(kind, header)
    return header
  }

  const sign = (kind: TokenKind, given: TokenClaims) => {
    const claims = readClaims(kind, given)
    if (claims === undefined) throw new TypeError(`These are not the claims of a ${kind} token.`)
    const now = clock.now().getTime()
    const iat = Math.floor(now / 1000)
    const exp = Math.floor((now + Duration.toMillis(lifetimes[kind])) / 1000)
    const payload = encode(JSON.stringify({ iss: settings.issuer, aud: AUDIENCES[kind], ...claims, iat, exp }))
    const signed = `${findHeader(kind)}.${payload}`
    // On this thread: another one takes longer to be asked than the 25 µs of a signature. jose's way takes twice the CPU time.
    const signature = signBytes(null, Buffer.from(signed), keys.signing.privateKey).toString("base64url")
    return { token: `${signed}.${signature}`, expires_at: new Date(exp * 1000) }
  }

  /** The header only chooses among our own keys. A key inside it (`jwk`, `jku`, `x5c`) is ignored. */
  const keyOf = ({ kid, crit }: JWTHeaderParameters) => {
    const key = crit === undefined && kid !== undefined ? keys.verifying.get(kid) : undefined
    if (key === undefined) throw new errors.JWKSNoMatchingKey()
    return key
  }

  const check = async (kind: TokenKind, token: string): Promise<VerifiedToken | TokenFault> => {
    try {
      const { payload } = await jwtVerify(token, keyOf, {
        algorithms: [ALGORITHM],
        issuer: settings.issuer,
        audience: AUDIENCES[kind],
        typ: typeOf(kind),
        currentDate: clock.now(),
        requiredClaims: ["iat", "exp"],
      })
      const claims = readClaims(kind, payload)
      return claims === undefined ? "not ours" : { kind, claims, expiresAtMillis: (payload.exp as number) * 1000 }
    } catch (error) {
      if (error instanceof errors.JOSEError) return faultOf(error, kind)
      throw error
    }
  }

  const verify = Effect.fnUntraced(function* (kind: TokenKind, token: string) {
    if (token.length > MAX_CHARACTERS || !COMPACT.test(token)) return yield* refuseToken(kind, "malformed")
    const mark = fingerprint(token)
    const known = remembered.find(mark, clock.now().getTime())
    if (known !== undefined) return known.kind === kind ? answer(known) : yield* refuseToken(kind, { is: known.kind })
    const checked = yield* Effect.promise(() => check(kind, token))
    if (typeof checked === "string" || !("claims" in checked)) return yield* refuseToken(kind, checked)
    remembered.keep(mark, checked)
    return answer(checked)
  })

  return {
    sign: (kind, claims) => Effect.sync(() => sign(kind, claims)),
    verify,
    fingerprint,
    keySet: () => ({ keys: keys.published }),
  }
}

const typeOf = (kind: TokenKind) => `${AUDIENCES[kind]}+jwt`

/** What is wrong with a token that jose refuses. Its claims are in the error only when its signature is ours. */
const faultOf = (error: errors.JOSEError, kind: TokenKind): TokenFault => {
  if (error instanceof errors.JWTExpired) return { expired_at: new Date(Number(error.payload.exp) * 1000) }
  if (!(error instanceof errors.JWTClaimValidationFailed)) return "not ours"
  const { aud } = error.payload
  const is = (Object.keys(AUDIENCES) as Array<TokenKind>).find((each) => each !== kind && AUDIENCES[each] === aud)
  return is === undefined ? "not ours" : { is }
}

const encode = (text: string) => Buffer.from(text).toString("base64url")

const fingerprint = (token: string) => hash("sha256", token, "hex")

const answer = ({ claims, expiresAtMillis }: VerifiedToken): VerifiedClaims => ({
  ...claims,
  expires_at: new Date(expiresAtMillis),
})
