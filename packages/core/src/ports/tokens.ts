import type { Effect } from "effect"
import type { InvalidToken } from "../failure.ts"

/** The four kinds of token. None passes for another: `typ` and `aud` differ [B5]. */
export type TokenKind = "session" | "refresh" | "developer_access" | "developer_refresh"

/** What a token says. `pid` is there on the tokens of end users only. */
export interface TokenClaims {
  /** The user or developer that the token speaks for. */
  readonly sub: string
  /** The project of an end user's token. */
  readonly pid?: string
  /** The session; the same through all of its rotations. */
  readonly sid: string
  /** The token itself. */
  readonly jti: string
}

/** A verified token's claims with the instant it ends. */
export interface VerifiedClaims extends TokenClaims {
  readonly expires_at: Date
}

/** Signs and verifies our own tokens [B4, B5]. */
export interface Tokens {
  /** Signs `claims` for the lifetime that is configured for `kind`, from now. */
  sign(kind: TokenKind, claims: TokenClaims): Effect.Effect<{ readonly token: string; readonly expires_at: Date }>
  /** The claims of a token of exactly this kind that was signed by one of our keys and has not ended. */
  verify(kind: TokenKind, token: string): Effect.Effect<VerifiedClaims, InvalidToken>
  /** The SHA-256 of a token in lower-case hex: what is stored instead of it. */
  fingerprint(token: string): string
  /** The public keys, as a JSON Web Key Set. */
  keySet(): { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> }
}
