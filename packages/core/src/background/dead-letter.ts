import { Schema } from "effect"
import { Count, JsonObject, Text, Timestamp, Uuid } from "../schema.ts"

/** `retrying`: another try is coming by itself. `dead`: somebody has to ask for one. */
export const DeadLetterStatus = Schema.Literals(["retrying", "dead"])
export type DeadLetterStatus = typeof DeadLetterStatus.Type

/** An event or an outbox entry that could not be handled and was set aside, alone. */
export const DeadLetter = Schema.Struct({
  id: Uuid,
  /** The event; null for an entry of a topic. */
  event_id: Schema.NullOr(Uuid),
  /** The topic of the entry; null for an event. */
  topic: Schema.NullOr(Text),
  /** The payload of the entry; null for an event. */
  payload: Schema.NullOr(JsonObject),
  app_user_id: Schema.NullOr(Uuid),
  /** The first reaction that failed; for an entry its topic. */
  reaction: Text,
  error: Text,
  status: DeadLetterStatus,
  tries: Count,
  first_failed_at: Timestamp,
  /** Null once it is dead. */
  next_try_at: Schema.NullOr(Timestamp),
})
export type DeadLetter = typeof DeadLetter.Type

// How long after each failed try the next one comes; after the last it is dead.
const pausesMillis = [1_000, 10_000, 60_000, 600_000]

/** When a letter is tried again after it has failed `tries` times; null is never. */
export const nextTryAfter = (tries: number, now: Date): Date | null => {
  const pause = pausesMillis[tries - 1]
  return pause === undefined ? null : new Date(now.getTime() + pause)
}

/** When it is looked at again whether the last try of a letter has ended: where it counted, the letter is dead by then. */
export const lookAfterLastTry = (now: Date): Date => new Date(now.getTime() + (pausesMillis.at(-1) ?? 0))

/** No letter waits for a later try than this. One that does was put off by a clock that was ahead. */
export const longestPauseMillis = 15 * 60_000

/** Whether a letter is to be tried at `now` that was put off to `at`. */
export const isToTry = (at: Date, now: Date): boolean => at <= now || at.getTime() - now.getTime() > longestPauseMillis

/** What is kept of an error: at most 500 characters, as PostgreSQL can hold them. */
export const errorText = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error))
    .replaceAll("\u0000", "")
    .slice(0, 500)
    .toWellFormed()
