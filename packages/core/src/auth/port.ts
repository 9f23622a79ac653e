import type { Effect, Option } from "effect"
import type { Table } from "../ports/table.ts"
import type { AccountLink } from "./account-link.ts"
import type { MagicLink } from "./magic-link.ts"
import type { RefreshToken, SessionFamily } from "./session.ts"

/** Where sessions and their refresh tokens are kept: of developers in the control plane, of users in their project. */
export interface SessionStore {
  /** Whoever rotates a family locks it first: two rotations of one family happen one after the other [B6]. */
  readonly families: Table<SessionFamily> & {
    /**
     * The sessions of an owner that can be gone on with at `now`: not ended, and with a refresh token that is neither
     * revoked nor expired. The last used first.
     */
    listLive(ownerId: string, now: Date): Effect.Effect<ReadonlyArray<SessionFamily>>
    /** Ends all sessions of an owner that have not ended yet. */
    revokeAll(ownerId: string, now: Date): Effect.Effect<void>
  }
  readonly refreshTokens: Table<RefreshToken>
  /** Writes a new session together with its first refresh token. */
  begin(family: SessionFamily, first: RefreshToken): Effect.Effect<void>
}

/** Links that sign in by mail. Unique: `token_hash`. */
export interface MagicLinks extends Table<MagicLink> {
  /** The link of this hash, locked until the transaction ends: it can be used once. */
  lockByHash(tokenHash: string): Effect.Effect<Option.Option<MagicLink>>
  /** Removes the links that expired before `before`. */
  removeExpired(before: Date): Effect.Effect<void>
}

/** What a project has of the ways in of its users. */
export interface AuthDb {
  /** The sessions of users. */
  readonly authSessions: SessionStore
  /** Unique: (`provider`, `provider_id`). Gone with their user. */
  readonly accountLinks: Table<AccountLink>
  readonly magicLinks: MagicLinks
}
