import type { Effect } from "effect"
import type { EngagementEvent } from "../events/event.ts"

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
