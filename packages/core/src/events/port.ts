import type { Effect } from "effect"
import type { Page, Slice } from "../ports/table.ts"
import type { EngagementEvent, NewEvent, PlatformEvent } from "./event.ts"

/**
 * The outcome of writing events: the ids of those that were new, or the slots (from 0, ascending) whose user does not
 * exist; then nothing was written.
 */
export type EventsWritten =
  | { readonly inserted: ReadonlyArray<string> }
  | { readonly unknown_users: ReadonlyArray<number> }

/** Which events are meant: `since` ≤ `occurred_at` < `until` [A12]; null is without an end. */
export interface EventFilter {
  readonly since: Date
  readonly until: Date | null
  readonly event_name?: string | undefined
  readonly app_user_id?: string | undefined
}

/** Which events are counted: `since` ≤ `occurred_at` < `until` [A12]. */
export interface CountedEvents {
  readonly since: Date
  readonly until: Date
  readonly event_name?: string | undefined
}

/** The place of an event in the log. */
export interface EventPosition {
  readonly occurred_at: Date
  readonly id: string
}

/** How many events have this key: a day in UTC, or a name. */
export interface EventBucket {
  readonly key: string
  readonly count: number
}

/** The events that a rule counts: of this name, and `since` ≤ t ≤ `until`; null is without bound. */
export interface EventSpan {
  readonly event: string
  readonly since: Date | null
  readonly until: Date | null
}

/** The event log and what of it has not been handled. */
export interface Events {
  /**
   * Writes the events whose `external_id` is not there yet, the first where the call has it twice. With `enqueue` they enter
   * the outbox as one entry in the same statement (no entry when none is new), else the caller handles them in this transaction.
   * An `id` that is taken is a defect.
   */
  insert(events: ReadonlyArray<NewEvent>, options: { readonly enqueue: boolean }): Effect.Effect<EventsWritten>
  /**
   * Writes the platform events whose `cause_key` is not there yet and whose user is; the others are passed over. They enter the
   * outbox as one entry. Answers the ids of those that were written.
   */
  insertCaused(events: ReadonlyArray<PlatformEvent & { readonly id: string }>): Effect.Effect<ReadonlyArray<string>>
  /** Those of the events that exist, in the order of the ids. */
  listByIds(
    ids: ReadonlyArray<string>,
    options: { readonly properties: boolean },
  ): Effect.Effect<ReadonlyArray<EngagementEvent>>
  /** How many events a user has in each of the spans, in their order. */
  counts(userId: string, spans: ReadonlyArray<EventSpan>): Effect.Effect<ReadonlyArray<number>>
  /** Up to `limit` events, the newest first, of two of the same instant the greater id. `after` needs not be there. */
  tail(filter: EventFilter, after: EventPosition | null, limit: number): Effect.Effect<ReadonlyArray<EngagementEvent>>
  count(counted: CountedEvents): Effect.Effect<number>
  /** Days ascending; names by their count, the greatest first, and then by code point. None that has no events. */
  countBy(group: "day" | "event_name", counted: CountedEvents): Effect.Effect<ReadonlyArray<EventBucket>>
  /** A slice of a user's events, the newest first. A user who is not there has none. */
  pageOfUser(userId: string, slice: Slice): Effect.Effect<Page<EngagementEvent>>
}

/** What a project has of events. */
export interface EventsDb {
  readonly events: Events
}
