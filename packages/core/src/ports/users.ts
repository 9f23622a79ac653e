import type { Effect, Option } from "effect"
import type { MagicLink } from "../auth/magic-link.ts"
import type { EntitlementSummary } from "../entitlements/entitlement.ts"
import type { UserRow } from "../users/user.ts"
import type { Table } from "./table.ts"

/** A user together with the entitlements, by `entitlement_id`. */
export interface Profile {
  readonly user: UserRow
  readonly entitlements: ReadonlyArray<EntitlementSummary>
}

/** Users. Unique: `email`, `external_id`, `anonymous_id`, each where not null. All that is a user's goes with the user. */
export interface Users extends Table<UserRow> {
  /** The user, locked until the transaction ends. */
  lock(id: string): Effect.Effect<Option.Option<UserRow>>
  /** The user and the entitlements, in one query. */
  profile(id: string): Effect.Effect<Option.Option<Profile>>
  /** The time zones (null is UTC) of those users that exist. */
  zones(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string | null>>
  /**
   * Moves `last_seen_at` forward to the given instants, the latest where a user is named twice; never back. Users that are
   * not there are passed over.
   */
  seen(users: ReadonlyArray<{ readonly id: string; readonly at: Date }>): Effect.Effect<void>
  /** How many users had a session begun or used, or an event, in `since` ≤ t < `until`; counted up to `atMost` [B12]. */
  countActive(since: Date, until: Date, atMost: number): Effect.Effect<number>
  /** Whether a session is live: not ended, and its user neither deleted nor disabled [B1]. */
  hasLiveSession(userId: string, familyId: string): Effect.Effect<boolean>
}

/** Links that sign in by mail. Unique: `token_hash`. */
export interface MagicLinks extends Table<MagicLink> {
  /** The link of this hash, locked until the transaction ends: it can be used once. */
  lock(tokenHash: string): Effect.Effect<Option.Option<MagicLink>>
  /** Removes the links that expired before `before`. */
  removeExpired(before: Date): Effect.Effect<void>
}
