/** The kind of a note. Two kinds of the same name are two. */
export interface BatchNote<A> {
  readonly name: string
  /** The type of what is noted. Never there. */
  readonly item?: A
}

/** Declares a kind of note, for example `xp.entries`. */
export const batchNote = <A>(name: string): BatchNote<A> => ({ name })

/**
 * What the reactions to one batch of events tell those that come after them. Kept in memory, for one run in one transaction:
 * work that is run again begins with none.
 */
export interface BatchNotes {
  /** Adds to what was noted before. */
  add<A>(note: BatchNote<A>, items: ReadonlyArray<A>): void
  /** All of this kind, in the order in which they were noted. */
  read<A>(note: BatchNote<A>): ReadonlyArray<A>
}

/** Notes of a batch, none yet. */
export const makeBatchNotes = (): BatchNotes => {
  const noted = new Map<BatchNote<unknown>, ReadonlyArray<unknown>>()
  return {
    add: (note, items) => {
      noted.set(note, [...(noted.get(note) ?? []), ...items])
    },
    read: <A>(note: BatchNote<A>) => (noted.get(note) ?? []) as ReadonlyArray<A>,
  }
}
