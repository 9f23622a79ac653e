import type { Effect, Option } from "effect"
import type { AccountLink } from "../auth/account-link.ts"
import type { MagicLink } from "../auth/magic-link.ts"
import type { Entitlement, EntitlementSummary } from "../entitlements/entitlement.ts"
import type { EngagementEvent, NewEvent } from "../events/event.ts"
import type { TenantUnavailable } from "../failure.ts"
import type { Segment } from "../segments/segment.ts"
import type { StreakDefinition } from "../streaks/definition.ts"
import type { UserStreak } from "../streaks/user-streak.ts"
import type { UserRow } from "../users/user.ts"
import type { SessionStore } from "./session-store.ts"
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

/**
 * The outcome of writing events: the ids of those that were new, or the slots (from 0, ascending) whose user does not
 * exist; then nothing was written.
 */
export type EventsWritten =
  | { readonly inserted: ReadonlyArray<string> }
  | { readonly unknown_users: ReadonlyArray<number> }

/** The event log and what of it has not been handled. */
export interface Events {
  /**
   * Writes the events whose `external_id` is not there yet, the first where the call has it twice. With `enqueue` they enter
   * the outbox as one entry in the same statement (no entry when none is new), else the caller handles them in this transaction.
   * An `id` that is taken is a defect.
   */
  insert(events: ReadonlyArray<NewEvent>, options: { readonly enqueue: boolean }): Effect.Effect<EventsWritten>
}

/** Something that is to be handled once, committed together with its cause [E1]. */
export interface OutboxEntry {
  /** A whole number in decimal digits, increasing with time. */
  readonly id: string
  /** `events`: the reactions to the events. `streak-definition`: the streaks of a definition are to be folded again. */
  readonly topic: "events" | "streak-definition"
  /** For `streak-definition`: the definition, and the last user who is done; null before the first. */
  readonly subject: { readonly definition_id: string; readonly after_user_id: string | null } | null
  readonly created_at: Date
}

/** The outbox of a project. Handling an entry and removing it commit together: exactly once by construction. */
export interface Outbox {
  /** Keeps every other handler of this project's outbox out until the transaction ends. */
  hold(): Effect.Effect<void>
  /**
   * The oldest entries: at most `maxEvents` of them, with at most as many events together, but at least one entry. And their
   * events in the order they were written.
   */
  next(maxEvents: number): Effect.Effect<{
    readonly entries: ReadonlyArray<OutboxEntry>
    readonly events: ReadonlyArray<EngagementEvent>
  }>
  add(topic: "streak-definition", subject: NonNullable<OutboxEntry["subject"]>): Effect.Effect<void>
  remove(ids: ReadonlyArray<string>): Effect.Effect<void>
  /** How many entries wait, and since when the oldest does. */
  waiting(): Effect.Effect<{ readonly entries: number; readonly oldest: Date | null }>
}

/** One user's run of one definition. */
export interface StreakKey {
  readonly app_user_id: string
  readonly streak_definition_id: string
}

/** A period that counts for a streak: done by an event, or covered by a freeze. Unique per user, definition and period. */
export interface StreakPeriodRow extends StreakKey {
  /** The first day of the period. */
  readonly period_key: string
  readonly kind: "done" | "freeze"
  /** When the event that did it occurred; for a freeze, the instant at which it was written. */
  readonly occurred_at: Date
}

/** Freezes granted to a user, and the first period that they could cover. Kept, so that they survive a new fold [E2]. */
export interface StreakGrantRow extends StreakKey {
  readonly id: string
  readonly from_period: string
  readonly count: number
  readonly granted_at: Date
}

/** The streaks of users. Unique: (`app_user_id`, `streak_definition_id`). They go with their user or definition. */
export interface UserStreaks extends Table<UserStreak> {
  /** Those of the given streaks that exist, locked until the transaction ends. */
  lock(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<UserStreak>>
  /**
   * Writes whole streaks: new ones, and over those of the same `id`. A streak of another `id` in its place is a defect, so
   * that no update is lost.
   */
  save(streaks: ReadonlyArray<UserStreak>): Effect.Effect<void>
  /**
   * Streaks whose `expires_at` has come (at `now` or before), soonest first, locked; those that somebody else has locked
   * are left out.
   */
  lockExpired(now: Date, limit: number): Effect.Effect<ReadonlyArray<UserStreak>>
  /** When the next streak expires; null when none will. */
  nextExpiry(): Effect.Effect<Date | null>
  /** Up to `limit` streaks of a definition after a user, by user id, locked. */
  lockOfDefinition(
    definitionId: string,
    afterUserId: string | null,
    limit: number,
  ): Effect.Effect<ReadonlyArray<UserStreak>>
  /**
   * Writes periods, as if one after the other. `done` goes over `freeze`; nothing goes over `done`; a freeze that is there
   * stays.
   */
  addPeriods(periods: ReadonlyArray<StreakPeriodRow>): Effect.Effect<void>
  /** Removes the freezes of the given streaks and writes `freezes` as `addPeriods` does. */
  replaceFreezes(keys: ReadonlyArray<StreakKey>, freezes: ReadonlyArray<StreakPeriodRow>): Effect.Effect<void>
  /** The done periods of the given streaks, ascending in each. */
  donePeriods(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<StreakPeriodRow>>
  /** The last `limit` periods, done and frozen, of each streak of a user, newest first. */
  recentPeriods(userId: string, limit: number): Effect.Effect<ReadonlyArray<StreakPeriodRow>>
  /**
   * Reads the periods of a definition anew after its period has changed to weekly: days become their weeks, each once.
   * A week is done when any of its days is, since the earliest `occurred_at` of those. Weeks that become days stay the
   * Mondays they are.
   */
  weeksFromDays(definitionId: string): Effect.Effect<void>
  addGrant(grant: StreakGrantRow): Effect.Effect<void>
  grants(keys: ReadonlyArray<StreakKey>): Effect.Effect<ReadonlyArray<StreakGrantRow>>
}

/** Everything that a project has, bound to its own database. What is not in here cannot be touched. */
export interface TenantDb {
  readonly users: Users
  readonly sessions: SessionStore
  /** Unique: (`provider`, `provider_id`). Gone with their user. */
  readonly accountLinks: Table<AccountLink>
  readonly magicLinks: MagicLinks
  readonly entitlements: Table<Entitlement>
  readonly segments: Table<Segment>
  readonly events: Events
  readonly outbox: Outbox
  readonly streakDefinitions: Table<StreakDefinition>
  readonly userStreaks: UserStreaks
}

/** The databases of the projects. The project is always an argument, never ambient. */
export interface Tenants {
  /** Runs `work` outside of a transaction: each statement stands for itself and is committed when it answers. */
  read<A, E>(projectId: string, work: (db: TenantDb) => Effect.Effect<A, E>): Effect.Effect<A, E | TenantUnavailable>
  /**
   * Runs `work` in one transaction: all of it is committed when it succeeds, nothing when it fails, dies or is interrupted.
   * A `Duplicate` or a defect of a statement ends the transaction, as in PostgreSQL: work that goes on after it and succeeds dies.
   */
  transact<A, E>(
    projectId: string,
    work: (db: TenantDb) => Effect.Effect<A, E>,
  ): Effect.Effect<A, E | TenantUnavailable>
  /** Makes a project's database, empty and migrated. One that is there is an error; a failure leaves none behind [C2]. */
  create(projectId: string): Effect.Effect<void>
  /** Removes a project's database. Nothing happens where there is none. */
  drop(projectId: string): Effect.Effect<void>
}
