import type { Effect, Option } from "effect"
import type { Duplicate, Table } from "../ports/table.ts"
import type { UserRow } from "../users/user.ts"
import type { AccountLink } from "./account-link.ts"
import type { MagicLink } from "./magic-link.ts"
import type { RefreshToken, SessionFamily } from "./session.ts"

/**
 * Stores sessions and their refresh tokens: of developers in the control plane, of users in their project. A session goes with its
 * owner, and refresh tokens with their session; neither is there without.
 */
export interface SessionStore {
  /** A rotation locks the family first, so that two rotations of one family run one after the other [B6]. */
  readonly families: Table<SessionFamily> & {
    /**
     * The sessions of an owner that can be refreshed at `now`: not revoked, and with a refresh token that is neither
     * revoked nor expired. The last used first.
     */
    listLive(ownerId: string, now: Date): Effect.Effect<ReadonlyArray<SessionFamily>>
    /** Revokes all sessions of an owner that are not revoked yet. */
    revokeAll(ownerId: string, now: Date): Effect.Effect<void>
  }
  readonly refreshTokens: Table<RefreshToken> & {
    /** Removes up to 1,000 refresh tokens of a session that have expired at `now`: a session that is refreshed has a new one each time. */
    removeExpired(familyId: string, now: Date): Effect.Effect<void>
  }
  /**
   * Writes a new session together with its first refresh token. Removes up to 100 others of its owner that were last used `spentDays`
   * before it or earlier, and have no refresh token that has not expired. It waits for none of them.
   */
  begin(family: SessionFamily, first: RefreshToken): Effect.Effect<void>
}

/** New users, who are signed in as they are created. */
export interface SignUps {
  /**
   * Writes a new user with a session and its first refresh token, all or nothing, in one round trip. Fails when a unique key of
   * the user is taken. Outside of a transaction a lost answer is found out, so that nothing is written twice.
   */
  insert(user: UserRow, family: SessionFamily, first: RefreshToken): Effect.Effect<void, Duplicate>
}

/** Users who are there already, signed in by their password. */
export interface SignIns {
  /**
   * Writes a session of a user with its first refresh token, and moves `last_seen_at` forward to `seen_at` (null leaves it), all or
   * nothing, in one round trip. Sessions of no use go as with `SessionStore.begin`. Answers the user as it was before. None, and
   * nothing is written, where the user is not there, is disabled, or has another password hash: what others change at the same time
   * is waited for. Outside of a transaction a lost answer is found out, so that nothing is written twice.
   */
  insert(
    known: { readonly id: string; readonly password_hash: string },
    family: SessionFamily,
    first: RefreshToken,
    seen_at: Date | null,
  ): Effect.Effect<Option.Option<UserRow>>
}

/** Links that sign in by mail. Unique: `token_hash`. */
export interface MagicLinks extends Table<MagicLink> {
  /** The link of this hash, locked until the transaction ends, so that it can be used only once. */
  lockByHash(tokenHash: string): Effect.Effect<Option.Option<MagicLink>>
  /** Removes up to `limit` links that expired before `before`, the oldest first, and passes over those that are locked. Answers how many. */
  removeOld(before: Date, limit: number): Effect.Effect<number>
  /** When the first of all links expires or has expired; null without one. */
  oldest(): Effect.Effect<Date | null>
  /**
   * Removes the links of an email. Passes over one that is locked: whoever opens a link locks it before its user, whom the caller has
   * locked.
   */
  removeOf(email: string): Effect.Effect<void>
}

/** What a project's database has for signing in its users. */
export interface AuthDb {
  /** The sessions of users. */
  readonly authSessions: SessionStore
  readonly signUps: SignUps
  readonly signIns: SignIns
  /** Unique: (`provider`, `provider_id`), in which case matters. Gone with their user. */
  readonly accountLinks: Table<AccountLink>
  readonly magicLinks: MagicLinks
}
