import { Effect } from "effect"
import { type BatchNotes, batchNote } from "./batch-notes.ts"
import type { EventHead } from "./reaction.ts"

/** Something that is read for a batch whatever the reactions before have done, for example rules. */
export interface ReadAhead<Db, A> {
  /** Reads it, and notes it for `read`. */
  prepare(db: Db, events: ReadonlyArray<EventHead>, notes: BatchNotes): Effect.Effect<void>
  /** What was noted, or read now where nothing was. */
  read(db: Db, events: ReadonlyArray<EventHead>, notes: BatchNotes): Effect.Effect<A>
}

/** Reads something before the reactions of a batch run, so that what all of them need takes one round trip. */
export const readAhead = <Db, A>(
  name: string,
  find: (db: Db, events: ReadonlyArray<EventHead>) => Effect.Effect<A>,
): ReadAhead<Db, A> => {
  const note = batchNote<{ readonly found: A }>(name)
  return {
    prepare: (db, events, notes) => Effect.map(find(db, events), (found) => notes.add(note, [{ found }])),
    read: (db, events, notes) => {
      const [noted] = notes.read(note)
      return noted === undefined ? find(db, events) : Effect.succeed(noted.found)
    },
  }
}
