import { hash, timingSafeEqual } from "node:crypto"
import { Email, type Identity, type IdentityDemand, type IdentityProvider } from "@hearth/core"
import { Option, Schema } from "effect"
import type { JWTPayload } from "jose"

const MAX_SUBJECT = 255

/** Who the claims of a verified token are about, if they are for this demand. A nonce that nobody asked for means nothing. */
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

/** A token that is also for somebody else could have been handed on by them. Nothing is for an audience without a name. */
const isOnly = (audience: string, aud: unknown) => {
  const [one, ...others]: ReadonlyArray<unknown> = Array.isArray(aud) ? aud : [aud]
  return audience !== "" && one === audience && others.length === 0
}

/** Apps on Apple's platforms hand Apple the hash and keep the nonce. */
const isNonce = (claimed: unknown, nonce: string) =>
  typeof claimed === "string" && (isSame(claimed, nonce) || isSame(claimed, hash("sha256", nonce, "hex")))

/** Takes equally long wherever two texts differ, and however long they are apart. */
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))

const digest = (text: string) => hash("sha256", text, "buffer")

const readEmail = Schema.decodeUnknownOption(Email)

const emailOf = (provider: IdentityProvider, { email, email_verified, hd }: JWTPayload): string | null => {
  // Apple writes booleans as text, or not.
  if (email_verified !== true && email_verified !== "true") return null
  const address = Option.getOrNull(readEmail(email))
  return provider === "idp_a" || isGoogles(address, hd) ? address : null
}

/** Google speaks for its own addresses and for the domains that it hosts. Anything else it has only once seen verified. */
const isGoogles = (address: string | null, hd: unknown) =>
  address?.endsWith("@gmail.com") === true || (typeof hd === "string" && hd !== "")
