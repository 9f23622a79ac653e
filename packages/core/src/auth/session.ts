import { Schema } from "effect"
import { Timestamp, Uuid } from "../schema.ts"

/** A session: all tokens that follow from one login. It is revoked as a whole, at logout or when a token was stolen [B6]. */
export const SessionFamily = Schema.Struct({
  /** The `sid` of all of its tokens. */
  id: Uuid,
  /** The user or developer who logged in. */
  owner_id: Uuid,
  created_at: Timestamp,
  last_used_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp),
})
export type SessionFamily = typeof SessionFamily.Type

/**
 * After so many days without use a session that cannot be refreshed any more is removed, with the next sign-in of its owner. It counts for
 * the active users of its month until then [B12].
 */
export const spentDays = 62

/** One refresh token of a session. At most one of a family is live; the others have been rotated or revoked. */
export const RefreshToken = Schema.Struct({
  /** The token's `jti`. */
  id: Uuid,
  family_id: Uuid,
  /** SHA-256 of the token, in hex. The token itself is not stored. */
  token_hash: Schema.String,
  created_at: Timestamp,
  expires_at: Timestamp,
  revoked_at: Schema.NullOr(Timestamp),
})
export type RefreshToken = typeof RefreshToken.Type
