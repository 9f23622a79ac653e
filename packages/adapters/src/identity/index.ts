export { type IdentityProviderSettings, identityProviders } from "./identity-providers.ts"
export { type IdentityVerifierSettings, joseIdentityVerifier } from "./identity-verifier.ts"
export { identitySettings, tokenKeySettings } from "./settings.ts"
export { readOrCreateTokenKeys } from "./token-key-file.ts"
export {
  generateTokenKeys,
  InvalidTokenKeys,
  loadTokenKeys,
  type PublicTokenKey,
  type TokenKeys,
} from "./token-keys.ts"
export { joseTokens, readLifetimes, type TokenLifetimes, type TokenSettings } from "./tokens.ts"
