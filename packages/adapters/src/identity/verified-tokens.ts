import type { TokenClaims, TokenKind } from "@hearth/core"

/** A token that has been verified, and when it expires. */
export interface VerifiedToken {
  readonly kind: TokenKind
  readonly claims: TokenClaims
  readonly expiresAtMillis: number
}

/** Caches verified tokens by fingerprint. Above `size` the least recently used one is removed. */
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
