import { Effect } from "effect"
import type { BatchNotes } from "./batch-notes.ts"
import type { EventHead, Reaction, Weigh } from "./reaction.ts"

/** The most rows that the reactions to one batch may need, of some 500 bytes each. A single event is handled in any case. */
export const maxRows = 20_000

/** How many of the first events of a batch fit together, by the rows that each needs: 1 at least. */
export const countFitting = (events: ReadonlyArray<EventHead>, weigh: (event: EventHead) => number): number => {
  let rows = 0
  for (const [index, event] of events.entries()) {
    rows += weigh(event)
    if (rows > maxRows) return Math.max(1, index)
  }
  return events.length
}

/** Answers how many of the first events of a batch its reactions can handle at once, by the rules that were prepared. */
export type FindFitting<Db> = (db: Db, events: ReadonlyArray<EventHead>, notes: BatchNotes) => Effect.Effect<number>

/** Weighs events by what each reaction makes of them. */
export const makeFindFitting = <Db>(reactions: ReadonlyArray<Reaction<Db>>): FindFitting<Db> => {
  const weighing = reactions.flatMap(({ weigh }): ReadonlyArray<Weigh<Db>> => (weigh === undefined ? [] : [weigh]))
  return (db, events, notes) =>
    Effect.map(
      Effect.forEach(weighing, (weigh) => weigh(db, events, notes)),
      (weights) => countFitting(events, (event) => weights.reduce((sum, weightOf) => sum + weightOf(event), 0)),
    )
}
