import type { Effect, Option } from "effect"
import type { NewEvent, WritingPlane } from "../events/event.ts"
import type { EventEffects } from "./effects.ts"

/** What is known of an event whose effects were asked for. */
export interface AskedEvent {
  readonly asked_at: Date
  /** Null until the event was handled. */
  readonly effects: EventEffects | null
  /** Whether the event could not be handled, and was set aside. */
  readonly is_set_aside: boolean
}

/** An event and what it did. */
export interface KeptEffects {
  readonly event_id: string
  readonly effects: EventEffects
}

/** What events did, of those that were asked about. Gone with their event. */
export interface EventEffectsStore {
  /** Notes that an event of this transaction is asked about. One that is noted already stays as it is. */
  ask(eventId: string, at: Date): Effect.Effect<void>
  /** Those of the events that are asked about and have no effects yet, in the order of the ids. */
  listAsked(eventIds: ReadonlyArray<string>): Effect.Effect<ReadonlyArray<string>>
  /** Keeps what events did. One that nobody has asked about is passed over. */
  keep(kept: ReadonlyArray<KeptEffects>): Effect.Effect<void>
  /** Notes that events of this transaction were asked about, together with what they did. */
  add(kept: ReadonlyArray<KeptEffects>, at: Date): Effect.Effect<void>
  /** None for an event that nobody has asked about, or that is gone. */
  find(eventId: string): Effect.Effect<Option.Option<AskedEvent>>
  /** The id of the event of the same user that has the `external_id` of this one [G0.3]. */
  findTwin(event: NewEvent, plane: WritingPlane): Effect.Effect<Option.Option<string>>
  /** Removes up to `limit` of those asked about before an instant, the oldest first. Answers how many. */
  forget(before: Date, limit: number): Effect.Effect<number>
  /** When the oldest was asked about; null where there is none. */
  oldest(): Effect.Effect<Date | null>
}

/** What a project's database has for what events did. */
export interface EventEffectsDb {
  readonly eventEffects: EventEffectsStore
}
