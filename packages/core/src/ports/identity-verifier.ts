import type { Effect } from "effect"
import type { InvalidToken } from "../failure.ts"

/** The platform identity providers: `idp_a` is Apple, `idp_b` is Google [B9]. */
export type IdentityProvider = "idp_a" | "idp_b"

/** Who a provider says that somebody is. An identity is the provider and the subject; the email is only a contact. */
export interface Identity {
  readonly provider: IdentityProvider
  /** The provider's own name for the person: `sub`. */
  readonly provider_id: string
  /** The address, trimmed and in lower case, where the provider has verified it and is the authority for it; else null. */
  readonly email: string | null
}

/** What an identity token must say beyond being the provider's and being valid now. */
export interface IdentityDemand {
  /** The one audience: `aud` is this text, or a list of only it. */
  readonly audience: string
  /** The nonce that the app began the sign-in with: the token carries it, or its SHA-256 in hex. Null where the app sent none. */
  readonly nonce: string | null
}

/** Verifies identity tokens against the published keys of their providers. */
export interface IdentityVerifier {
  /**
   * The identity of a token that the provider signed (RS256, key by `kid`), for this audience, from one of its issuers, and
   * that holds now, with 60 seconds of tolerance. That the keys cannot be had is a defect: it says nothing about the token.
   */
  verify(provider: IdentityProvider, token: string, demand: IdentityDemand): Effect.Effect<Identity, InvalidToken>
}
