import type { Effect } from "effect"
import type { EngagementEvent, PlatformEvent } from "../events/event.ts"
import type { BatchNotes } from "./batch-notes.ts"

/** What every reaction is told of an event. Properties are read only where a reaction asks for them. */
export type EventHead = Omit<EngagementEvent, "properties">

/**
 * Handles events of one project, each exactly once for good: its writes commit together with the mark that the events were
 * handled. Events may come late and in any order, and the same events lead to the same state in whatever order they come.
 * It answers the platform events that it causes; they are written in the same transaction and handled in a later batch.
 * Through `notes` it tells later reactions of the same batch what it has done.
 */
type ReactTo<Db, Event> = (
  db: Db,
  events: ReadonlyArray<Event>,
  notes: BatchNotes,
) => Effect.Effect<ReadonlyArray<PlatformEvent>>

/**
 * How many rows the reaction may read and write for an event, by the rules that it has prepared. It must not make them one by one: a
 * batch may have thousands of events, and a project thousands of rules.
 */
export type Weigh<Db> = (
  db: Db,
  events: ReadonlyArray<EventHead>,
  notes: BatchNotes,
) => Effect.Effect<(event: EventHead) => number>

interface AnyReaction<Db> {
  /** Unique in the service. Operators see it where it fails. */
  readonly name: string
  /**
   * The outbox topic that makes anew, from all events that are stored, what the reaction keeps. Every project gets an entry of
   * it with an empty payload once, when the last worker without the reaction is gone. Left out where there was never such a worker.
   */
  readonly rebuild?: string
  /**
   * Reads what the reactions before do not change, and notes it. It is run before all reactions, and everybody's is read in one
   * round trip: so it locks nothing.
   */
  readonly prepare?: (db: Db, events: ReadonlyArray<EventHead>, notes: BatchNotes) => Effect.Effect<void>
  /** Left out where an event needs a row or two. A batch whose rows would not fit into memory together is cut. */
  readonly weigh?: Weigh<Db>
  /**
   * Locks rows that no reaction before it writes, and notes what it has read under the locks; what needs nothing else is written
   * as well. It is run when everything is prepared, before all reactions, in their order. Everybody's locks are taken in one round
   * trip: so it asks once. Of a large batch the first locks are sent before the others are put together.
   */
  readonly lock?: (db: Db, events: ReadonlyArray<EventHead>, notes: BatchNotes) => Effect.Effect<void>
}

/** What events set off in one feature. */
export type Reaction<Db> =
  | (AnyReaction<Db> & { readonly readsProperties?: false; readonly react: ReactTo<Db, EventHead> })
  | (AnyReaction<Db> & { readonly readsProperties: true; readonly react: ReactTo<Db, EngagementEvent> })
