import type { Effect } from "effect"
import type { InvalidToken } from "../failure.ts"

/** The four kinds of token. Each is refused in place of another, because `typ` and `aud` differ [B5]. */
export type TokenKind = "session" | "refresh" | "developer_access" | "developer_refresh"

/** The claims of a token. Only tokens of end users have `pid`. */
export interface TokenClaims {
  /** The id of the user or developer. */
  readonly sub: string
  /** The project of an end user's token. */
  readonly pid?: string
  /** The id of the session. Rotations keep it. */
  readonly sid: string
  /** The id of the token. */
  readonly jti: string
}

/** The claims of a verified token and when it expires. */
export interface VerifiedClaims extends TokenClaims {
  readonly expires_at: Date
}

/** Signs and verifies our own tokens [B4, B5]. */
export interface Tokens {
  /** Signs `claims` with the configured lifetime of `kind`, from now. Dies where claims are missing or are of another kind. */
  sign(kind: TokenKind, claims: TokenClaims): Effect.Effect<{ readonly token: string; readonly expires_at: Date }>
  /**
   * The claims of a token of exactly this kind that is signed by one of our keys and has not expired. The refusal says which kind it is or
   * when it expired, of tokens that we have signed.
   */
  verify(kind: TokenKind, token: string): Effect.Effect<VerifiedClaims, InvalidToken>
  /** The SHA-256 of a token in lower-case hex. It is stored instead of the token. */
  fingerprint(token: string): string
  /** The public keys, as a JSON Web Key Set: whoever has it can verify the tokens, and sign none. */
  keySet(): { readonly keys: ReadonlyArray<Readonly<Record<string, unknown>>> }
}
