import type { Effect, Option } from "effect"
import type { EntitlementSummary } from "../entitlements/entitlement.ts"
import type { DatedContent } from "../moderation/content.ts"
import type { Page, Slice, Table } from "../ports/table.ts"
import type { JsonObject } from "../schema.ts"
import type { ProfileRow, UserRow } from "./user.ts"

/** What a user is shown of themselves, together with the entitlements, by `entitlement_id`. */
export interface Profile {
  readonly user: ProfileRow
  readonly entitlements: ReadonlyArray<EntitlementSummary>
}

/** Selects users. Null is no condition; all conditions must hold. */
export interface UserFilter {
  /** A part of the email, external id or display name, case-insensitive, without wildcards [A11], or the whole id or anonymous id. */
  readonly search: string | null
  /** Members of this segment only. An unknown segment has no members. */
  readonly segment_id: string | null
  /** Those of these users that exist. Left out is no condition. */
  readonly ids?: ReadonlyArray<string>
}

/** Where a page of the list of users ends. */
export interface UserPosition {
  readonly last_seen_at: Date
  readonly id: string
}

/**
 * Users. Unique: `email`, `external_id`, `anonymous_id`, each where not null. All rows of a user are removed with the user.
 * Only the `user_count` of segments does not follow a removal; the next evaluation of the segment corrects it.
 */
export interface Users extends Table<UserRow>, UserBatches {
  /**
   * A slice of the users that match `filter`, the latest active first (`last_seen_at` descending, then `id`), or of those of them
   * that come after a position. The total is of all that match. Large properties cut it short (ADR 0021).
   */
  pageMatching(filter: UserFilter, slice: Slice, after?: UserPosition | null): Effect.Effect<Page<UserRow>>
  /** Which users were first seen last, the newest first. */
  newest(limit: number): Effect.Effect<ReadonlyArray<DatedContent>>
  /** The user and the entitlements, in one query. */
  profile(id: string): Effect.Effect<Option.Option<Profile>>
  /**
   * The time zones (null is UTC) of those users that exist, locked in the order of their ids: none of them changes or is removed
   * until the transaction ends.
   */
  lockZones(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, string | null>>
  /**
   * Moves `last_seen_at` forward to the given instants, never back; null leaves it. A user listed twice gets the latest. Unknown
   * users are skipped. All of the users are locked first, in the order of their ids.
   */
  seen(users: ReadonlyArray<{ readonly id: string; readonly at: Date | null }>): Effect.Effect<void>
  /**
   * Counts the users, each once, with a session created or used, or an event that is activity [G0.4], in `since` ≤ t < `until`, which are
   * midnights in UTC, up to `atMost` [B12].
   */
  countActive(since: Date, until: Date, atMost: number): Effect.Effect<number>
  /** Keeps others who ask for it waiting until the transaction ends, so that new users are counted one after the other [B12]. */
  lockSignUps(): Effect.Effect<void>
  /** Whether a session is live: not revoked, and its user neither removed nor disabled [B1]. */
  hasLiveSession(userId: string, familyId: string): Effect.Effect<boolean>
}

/** Operations on many users, each in one statement. */
export interface UserBatches {
  /** Locks the users that exist, in the order of their ids, until the transaction ends. Answers their ids. */
  lockMany(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
  /**
   * The users who may have more than `bytes` bytes of properties, as JSON, after `changes` are merged. All who would are
   * included. A few others may be, because PostgreSQL writes JSON with more spaces.
   */
  mayExceed(ids: ReadonlyArray<string>, changes: JsonObject, bytes: number): Effect.Effect<ReadonlyArray<string>>
  /** The properties of the users that exist. */
  propertiesOf(ids: ReadonlyArray<string>): Effect.Effect<ReadonlyMap<string, JsonObject>>
  /** Merges `changes` into the properties of the users at the top level. The caller has locked them. */
  mergeProperties(ids: ReadonlyArray<string>, changes: JsonObject, at: Date): Effect.Effect<void>
}

/** What a project's database has for users. */
export interface UsersDb {
  readonly users: Users
}
