import type { KeyObject } from "node:crypto"
import {
  type Clock,
  type IdentityDemand,
  type IdentityProvider,
  type IdentityVerifier,
  InvalidToken,
} from "@hearth/core"
import { Effect } from "effect"
import { decodeJwt, decodeProtectedHeader, errors, type JWTPayload, jwtVerify } from "jose"
import type { Log } from "../system/log.ts"
import { identityOf } from "./identity-claims.ts"
import type { IdentityProviderSettings } from "./identity-providers.ts"
import { fetchKeySet } from "./key-set.ts"
import { cacheSigningKeys } from "./signing-keys.ts"

/** What identity tokens are verified against. */
export interface IdentityVerifierSettings {
  readonly clock: Clock
  /** `identityProviders`, or others in their place. */
  readonly providers: Readonly<Record<IdentityProvider, IdentityProviderSettings>>
  /** Logs keys that could not be fetched. */
  readonly log?: Log
  readonly fetch?: typeof globalThis.fetch
  /** How long a provider may take to answer with its keys. */
  readonly timeoutMillis?: number
}

const ALGORITHM = "RS256"

/** Providers' tokens are of one or two thousand characters. Anything longer is refused before a byte of it is read. */
const MAX_CHARACTERS = 16 * 1024

const COMPACT = /^[\w-]+\.[\w-]+\.[\w-]+$/

const TOLERANCE_SECONDS = 60

const TIMEOUT_MILLIS = 3_000

/** Identity tokens of platform providers, verified against the keys that they publish [B9]. */
export const joseIdentityVerifier = (settings: IdentityVerifierSettings): IdentityVerifier => {
  const { clock, log = () => {}, fetch = globalThis.fetch, timeoutMillis = TIMEOUT_MILLIS } = settings

  const keysOf = (provider: IdentityProvider) =>
    cacheSigningKeys({
      clock,
      fetchKeys: () => fetchKeySet(settings.providers[provider].jwksUrl, { fetch, timeoutMillis }),
      onFailure: (cause) => log("warn", "Signing keys could not be fetched.", { provider, cause: reasonOf(cause) }),
    })
  const keys = { idp_a: keysOf("idp_a"), idp_b: keysOf("idp_b") }

  const check = async (provider: IdentityProvider, token: string, key: KeyObject, demand: IdentityDemand) => {
    const now = clock.now()
    try {
      const { payload } = await jwtVerify(token, key, {
        algorithms: [ALGORITHM],
        issuer: [...settings.providers[provider].issuers],
        currentDate: now,
        clockTolerance: TOLERANCE_SECONDS,
      })
      return isTimely(payload, now) ? identityOf(provider, payload, demand) : undefined
    } catch (error) {
      if (error instanceof errors.JOSEError) return undefined
      throw error
    }
  }

  return {
    verify: Effect.fnUntraced(function* (provider, token, demand) {
      const kid = kidOf(token)
      if (kid === undefined) return yield* new InvalidToken()
      const key = yield* Effect.promise(() => keys[provider].find(kid))
      if (key === undefined) return yield* new InvalidToken()
      const identity = yield* Effect.promise(() => check(provider, token, key, demand))
      return identity ?? (yield* new InvalidToken())
    }),
  }
}

/**
 * The id of the key that a token names, if it has the form of a token. Nothing else of the header is used:
 * a key inside the token (`jwk`, `jku`, `x5u`, `x5c`) is ignored.
 */
const kidOf = (token: string): string | undefined => {
  if (token.length > MAX_CHARACTERS || !COMPACT.test(token)) return undefined
  try {
    const { alg, kid, crit }: Readonly<Record<string, unknown>> = decodeProtectedHeader(token)
    decodeJwt(token)
    return alg === ALGORITHM && crit === undefined && typeof kid === "string" && kid !== "" ? kid : undefined
  } catch {
    return undefined
  }
}

/** What jose does not check: an `exp` that is missing or infinite (JSON's 1e400), and an `iat` in the future. */
const isTimely = ({ exp, iat = 0 }: JWTPayload, now: Date) =>
  Number.isFinite(exp) && iat <= Math.floor(now.getTime() / 1000) + TOLERANCE_SECONDS

/** `fetch` throws a general error and puts what happened to the connection into its cause. */
const reasonOf = (error: unknown) =>
  error instanceof Error && error.cause !== undefined ? `${error}: ${error.cause}` : String(error)
