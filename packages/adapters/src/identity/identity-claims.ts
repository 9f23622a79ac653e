import { hash, timingSafeEqual } from "node:crypto"
import { Email, type Identity, type IdentityDemand, type IdentityProvider } from "@hearth/core"
import { Option, Schema } from "effect"
import type { JWTPayload } from "jose"

const MAX_SUBJECT = 255

/** Whom the claims of a verified token are about, if they meet the demand. A nonce is ignored unless it is demanded. */
export const identityOf = (
  provider: IdentityProvider,
  claims: JWTPayload,
  { audience, nonce }: IdentityDemand,
): Identity | undefined => {
  const { sub, aud } = claims
  if (!isSubject(sub) || !isOnly(audience, aud)) return undefined
  if (nonce !== null && !isNonce(claims["nonce"], nonce)) return undefined
  return { provider, provider_id: sub, email: emailOf(provider, claims) }
}

const isSubject = (sub: unknown): sub is string =>
  typeof sub === "string" && sub !== "" && sub.length <= MAX_SUBJECT && sub.isWellFormed() && !sub.includes("\0")

/** A token with another audience too could have been passed on by that audience. An empty audience matches nothing. */
const isOnly = (audience: string, aud: unknown) => {
  const [one, ...others]: ReadonlyArray<unknown> = Array.isArray(aud) ? aud : [aud]
  return audience !== "" && one === audience && others.length === 0
}

/** Apps on Apple's platforms send Apple the hash of the nonce, and us the nonce. */
const isNonce = (claimed: unknown, nonce: string) =>
  typeof claimed === "string" && (isSame(claimed, nonce) || isSame(claimed, hash("sha256", nonce, "hex")))

/** Compares in constant time, whatever the lengths: it compares digests. */
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

const digest = (text: string) => hash("sha256", text, "buffer")

const readEmail = Schema.decodeUnknownOption(Email)

const emailOf = (provider: IdentityProvider, { email, email_verified, hd }: JWTPayload): string | null => {
  // Apple writes booleans as text or as booleans.
  if (email_verified !== true && email_verified !== "true") return null
  const address = Option.getOrNull(readEmail(email))
  return provider === "idp_a" || isGoogles(address, hd) ? address : null
}

/** Google is authoritative for its own addresses and for the domains that it hosts. Others it has verified only once. */
const isGoogles = (address: string | null, hd: unknown) =>
  address?.endsWith("@gmail.com") === true || (typeof hd === "string" && hd !== "")
