import { Schema } from "effect"
import { Timestamp, Uuid } from "../schema.ts"

/** A link that signs in by mail, once (spec: magic-link token). The token itself is not stored. */
export const MagicLink = Schema.Struct({
  id: Uuid,
  email: Schema.String,
  /** SHA-256 of the token, in hex. */
  token_hash: Schema.String,
  created_at: Timestamp,
  expires_at: Timestamp,
  used_at: Schema.NullOr(Timestamp),
})
export type MagicLink = typeof MagicLink.Type
