import type { IdentityProvider } from "@hearth/core"

/** Where a provider's tokens come from. */
export interface IdentityProviderSettings {
  /** Every `iss` that the provider writes. */
  readonly issuers: ReadonlyArray<string>
  /** Where it publishes its signing keys, as a JSON Web Key Set. */
  readonly jwksUrl: string
}

/** Apple and Google [B9]. Both write more than one issuer: Apple is moving to the second, Google always had two. */
export const identityProviders: Readonly<Record<IdentityProvider, IdentityProviderSettings>> = {
  idp_a: {
    issuers: ["https://appleid.apple.com", "https://account.apple.com"],
    jwksUrl: "https://appleid.apple.com/auth/keys",
  },
  idp_b: {
    issuers: ["accounts.google.com", "https://accounts.google.com"],
    jwksUrl: "https://www.googleapis.com/oauth2/v3/certs",
  },
}
