import type { TokenClaims, TokenKind } from "@hearth/core"

/** A token that has been verified, and until when it holds. */
export interface VerifiedToken {
  readonly kind: TokenKind
  readonly claims: TokenClaims
  readonly expiresAtMillis: number
}

/** Remembers verified tokens by fingerprint. Above `size` the one that was asked for longest ago is forgotten. */
export const cacheVerifiedTokens = (size: number) => {
  const tokens = new Map<string, VerifiedToken>()
  return {
    find: (fingerprint: string, nowMillis: number): VerifiedToken | undefined => {
      const found = tokens.get(fingerprint)
      if (found === undefined) return undefined
      tokens.delete(fingerprint)
      if (found.expiresAtMillis <= nowMillis) return undefined
      tokens.set(fingerprint, found)
      return found
    },
    keep: (fingerprint: string, token: VerifiedToken): void => {
      tokens.set(fingerprint, token)
      if (tokens.size <= size) return
      const [oldest] = tokens.keys()
      if (oldest !== undefined) tokens.delete(oldest)
    },
  }
}
