import type { Effect, Option } from "effect"
import type { EntitlementSummary } from "../entitlements/entitlement.ts"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { JsonObject } from "../schema.ts"
import type { UserRow } from "./user.ts"

/** A user together with the entitlements, by `entitlement_id`. */
export interface Profile {
  readonly user: UserRow
  readonly entitlements: ReadonlyArray<EntitlementSummary>
}

/** Which users a list is about. Null is no condition; both together must hold. */
export interface UserFilter {
  /** Text that is part of the email, external id or display name, in either case; every character stands for itself [A11]. */
  readonly search: string | null
  /** The segment of which they are members. Nobody is one of a segment that is not there. */
  readonly segment_id: string | null
}

/**
 * Users. Unique: `email`, `external_id`, `anonymous_id`, each where not null. All that is a user's goes with the user. Only
 * the `user_count` of the segments does not follow a removal: it is right again once the segment has been evaluated.
 */
export interface Users extends Table<UserRow>, UserBatches {
  /** A slice of the users that `filter` describes, newest active first (`last_seen_at` descending, then `id`). */
  pageMatching(filter: UserFilter, slice: Slice): Effect.Effect<Page<UserRow>>
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

/** What is done to many users at once, each in one statement however many they are. */
export interface UserBatches {
  /** The ids of those of the users that exist, locked in the order of their ids until the transaction ends. */
  lockMany(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
  /**
   * Which of the users may have more than `bytes` bytes of properties, as JSON, once `changes` are merged in. Whoever would
   * is among them; a few others may be, because a database writes JSON with more room than others do.
   */
  mayExceed(ids: ReadonlyArray<string>, changes: JsonObject, bytes: number): Effect.Effect<ReadonlyArray<string>>
  /** The properties of those of the users that exist. */
  propertiesOf(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, JsonObject>>
  /** Merges `changes` into the properties of the users at the top level. The caller has locked them. */
  mergeProperties(ids: ReadonlyArray<string>, changes: JsonObject, at: Date): Effect.Effect<void>
}

/** What a project has of users. */
export interface UsersDb {
  readonly users: Users
}
