import type { Effect } from "effect"
import type { InvalidToken } from "../failure.ts"

/** The platform identity providers: `idp_a` is Apple, `idp_b` is Google [B9]. */
export type IdentityProvider = "idp_a" | "idp_b"

/** A person's identity at a provider: the provider and the subject. The email is only a contact. */
export interface Identity {
  readonly provider: IdentityProvider
  /** The provider's id of the person: `sub`. */
  readonly provider_id: string
  /** The address, trimmed and in lower case. Null unless the provider has verified it and is the authority for it. */
  readonly email: string | null
}

/** The further claims that an identity token must have. */
export interface IdentityDemand {
  /** The one audience: `aud` is this text, or a list of only it. An empty one refuses every token. */
  readonly audience: string
  /** The nonce of the app's sign-in: the token must have it, or its SHA-256 in hex. Null when the app sent none: any will do then. */
  readonly nonce: string | null
}

/** Verifies identity tokens against the published keys of their providers. */
export interface IdentityVerifier {
  /**
   * The identity of a token that the provider signed (RS256, key by `kid`), for this audience, from one of its issuers, with a subject
   * of 1 to 255 characters and an `exp`, valid now with 60 seconds of tolerance. One of more than 16 KB is refused. Dies
   * when the keys cannot be fetched, because then the token is neither good nor bad.
   */
  verify(provider: IdentityProvider, token: string, demand: IdentityDemand): Effect.Effect<Identity, InvalidToken>
}
