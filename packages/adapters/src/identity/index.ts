export { readOrCreateTokenKeys } from "./token-key-file.ts"
export {
  generateTokenKeys,
  InvalidTokenKeys,
  loadTokenKeys,
  type PublicTokenKey,
  type TokenKeys,
} from "./token-keys.ts"
export { joseTokens, type TokenLifetimes, type TokenSettings } from "./tokens.ts"
