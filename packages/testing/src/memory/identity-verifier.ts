import { generateKeyPairSync, hash, sign, verify } from "node:crypto"
import {
  type Clock,
  Email,
  type Identity,
  type IdentityDemand,
  type IdentityProvider,
  type IdentityVerifier,
  InvalidToken,
} from "@hearth/core"
import { Effect, Option, Schema } from "effect"

/** The claims of an identity token. Those that are undefined are left out. */
export interface IdentityClaims {
  readonly sub: unknown
  readonly aud: unknown
  readonly email?: unknown
  readonly email_verified?: unknown
  readonly nonce?: unknown
  readonly [claim: string]: unknown
}

/** Both identity providers, with keys of their own, and the verifier of what they issue. */
export interface MemoryIdentityVerifier extends IdentityVerifier {
  /** A token of `provider`, issued now, for ten minutes, unless `claims` say otherwise (`iss`, `iat`, `exp`). */
  issue(provider: IdentityProvider, claims: IdentityClaims): string
  /** Makes the providers' keys unreachable, or reachable again. Keys are not cached, so both take effect at once. */
  unreachable(are: boolean): void
}

type Claims = Readonly<Record<string, unknown>>

const ISSUERS: Readonly<Record<IdentityProvider, readonly [string, ...ReadonlyArray<string>]>> = {
  idp_a: ["https://appleid.apple.com", "https://account.apple.com"],
  idp_b: ["accounts.google.com", "https://accounts.google.com"],
}

const MAX_CHARACTERS = 16 * 1024
const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/
const LIFETIME_SECONDS = 600
const TOLERANCE_SECONDS = 60

/** Verifies identity tokens as the real one does. They are signed with keys that live as long as this object. */
export const memoryIdentityVerifier = (clock: Clock): MemoryIdentityVerifier => {
  const keys = { idp_a: generateKeyPairSync("ed25519"), idp_b: generateKeyPairSync("ed25519") }
  const header = encode({ alg: "EdDSA", kid: "memory" })
  let unreachable = false
  const nowSeconds = () => Math.floor(clock.now().getTime() / 1000)

  const isSigned = (provider: IdentityProvider, token: string) => {
    const [, payload, signature = ""] = token.split(".")
    const signed = Buffer.from(`${header}.${payload}`)
    return verify(null, signed, keys[provider].publicKey, Buffer.from(signature, "base64url"))
  }

  return {
    issue: (provider, claims) => {
      const iat = nowSeconds()
      const [iss] = ISSUERS[provider]
      const text = `${header}.${encode({ iss, iat, exp: iat + LIFETIME_SECONDS, ...claims })}`
      return `${text}.${sign(null, Buffer.from(text), keys[provider].privateKey).toString("base64url")}`
    },
    unreachable: (are) => {
      unreachable = are
    },
    verify: Effect.fnUntraced(function* (provider, token, demand) {
      const claims = readClaims(header, token)
      if (claims === undefined) return yield* new InvalidToken()
      if (unreachable) return yield* Effect.die(new Error(`The keys of ${provider} cannot be had.`))
      if (!isSigned(provider, token)) return yield* new InvalidToken()
      if (!isCurrent(claims, nowSeconds()) || !isDemanded(provider, claims, demand)) return yield* new InvalidToken()
      return identityOf(provider, claims) ?? (yield* new InvalidToken())
    }),
  }
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

const readClaims = (ownHeader: string, token: string): Claims | undefined => {
  if (token.length > MAX_CHARACTERS || !COMPACT.test(token)) return undefined
  const [header, payload = ""] = token.split(".")
  if (header !== ownHeader) return undefined
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString())
    return typeof claims === "object" && claims !== null && !Array.isArray(claims) ? { ...claims } : undefined
  } catch {
    return undefined
  }
}

const isCurrent = ({ exp, nbf = 0, iat = 0 }: Claims, now: number) =>
  typeof exp === "number" &&
  exp > now - TOLERANCE_SECONDS &&
  [nbf, iat].every((from) => typeof from === "number" && from <= now + TOLERANCE_SECONDS)

const isDemanded = (provider: IdentityProvider, { iss, aud, nonce }: Claims, demand: IdentityDemand) => {
  const audiences: ReadonlyArray<unknown> = Array.isArray(aud) ? aud : [aud]
  return (
    ISSUERS[provider].some((issuer) => issuer === iss) &&
    demand.audience !== "" &&
    audiences.length === 1 &&
    audiences[0] === demand.audience &&
    (demand.nonce === null || nonce === demand.nonce || nonce === hash("sha256", demand.nonce, "hex"))
  )
}

const identityOf = (provider: IdentityProvider, claims: Claims): Identity | undefined => {
  const { sub } = claims
  if (typeof sub !== "string" || sub === "" || sub.length > 255 || !sub.isWellFormed() || sub.includes("\0"))
    return undefined
  return { provider, provider_id: sub, email: emailOf(provider, claims) }
}

const readEmail = Schema.decodeUnknownOption(Email)

const emailOf = (provider: IdentityProvider, { email, email_verified, hd }: Claims): string | null => {
  if (email_verified !== true && email_verified !== "true") return null
  const address = Option.getOrNull(readEmail(email))
  const isHosted = typeof hd === "string" && hd !== ""
  return provider === "idp_a" || isHosted || address?.endsWith("@gmail.com") === true ? address : null
}
