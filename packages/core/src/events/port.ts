import type { Effect } from "effect"
import type { Page, Slice, SliceRows } from "../ports/table.ts"
import type { EngagementEvent, NewEvent, PlatformEvent, WritingPlane } from "./event.ts"

/**
 * The outcome of writing events: the ids of the new ones, or the indexes (from 0, ascending) of those whose user does not
 * exist. In the second case nothing was written.
 */
export type EventsWritten =
  | { readonly inserted: ReadonlyArray<string> }
  | { readonly unknown_users: ReadonlyArray<number> }

/** Selects events: `since` ≤ `occurred_at` < `until` [A12]; null is no end. */
export interface EventFilter {
  readonly since: Date
  readonly until: Date | null
  readonly event_name?: string | undefined
  readonly app_user_id?: string | undefined
}

/** Selects the events to count: `since` ≤ `occurred_at` < `until` [A12]. */
export interface CountedEvents {
  readonly since: Date
  readonly until: Date
  readonly event_name?: string | undefined
}

/** The position of an event in the log. */
export interface EventPosition {
  readonly occurred_at: Date
  readonly id: string
}

/** The number of events of one key: a day in UTC, or a name. */
export interface EventBucket {
  readonly key: string
  readonly count: number
}

/** How events are written. */
export interface InsertOptions {
  readonly enqueue: boolean
  /**
   * Where the events come from; `admin` where left out. From `client`, an `external_id` is new where this user has none such
   * from there, nor one that an earlier release has written without a plane [G0.3].
   */
  readonly plane?: WritingPlane
}

/**
 * The event log. Events go with their user, which frees their ids of apps and developers. An `external_id` and a `cause_key` have nothing in
 * common. Of several calls that write the same at once, one does.
 */
export interface Events {
  /**
   * Writes the events whose `external_id` is new, the first when the call repeats one. With `enqueue` the same statement adds
   * them to the outbox as one entry (none when no event is new), else the caller handles them in this transaction. An `id`
   * that exists is a defect.
   */
  insert(events: ReadonlyArray<NewEvent>, options: InsertOptions): Effect.Effect<EventsWritten>
  /**
   * Writes one event that is new, of a user who is there; the caller handles it in this transaction. Where it is not, the
   * transaction fails: by this call, by one after it or by its commit.
   */
  insertNew(event: NewEvent, plane: WritingPlane): Effect.Effect<void>
  /**
   * Writes the platform events whose `cause_key` is new and whose user exists, and skips the others. They enter the outbox as
   * one entry.
   */
  insertCaused(events: ReadonlyArray<PlatformEvent & { readonly id: string }>): Effect.Effect<void>
  /** Those of the events that exist, in the order of the ids. */
  listByIds(
    ids: ReadonlyArray<string>,
    options: { readonly properties: boolean },
  ): Effect.Effect<ReadonlyArray<EngagementEvent>>
  /**
   * The events of a user at each of the instants, at most `limit` of each: those of this name, or all where none there has it.
   * By instant, then by id, each once. Properties are empty.
   */
  listAt(
    userId: string,
    instants: ReadonlyArray<Date>,
    name: string,
    limit: number,
  ): Effect.Effect<ReadonlyArray<EngagementEvent>>
  /**
   * Up to `limit` events after a position: newest first, then by greater id. The event of `after` need not exist. Large ones cut it
   * short (ADR 0021).
   */
  tail(filter: EventFilter, after: EventPosition | null, limit: number): Effect.Effect<SliceRows<EngagementEvent>>
  count(counted: CountedEvents): Effect.Effect<number>
  /** Days ascending; names by count, the greatest first, then by code point. Keys without events are left out. */
  countBy(group: "day" | "event_name", counted: CountedEvents): Effect.Effect<ReadonlyArray<EventBucket>>
  /** A slice of a user's events, the newest first, cut as the tail is. Empty for an unknown user. */
  pageOfUser(userId: string, slice: Slice): Effect.Effect<Page<EngagementEvent>>
  /** Removes up to `limit` events of a user, and passes over those that others have locked. Answers how many. */
  removeSome(userId: string, limit: number): Effect.Effect<number>
}

/** What a project's database has for events. */
export interface EventsDb {
  readonly events: Events
}
