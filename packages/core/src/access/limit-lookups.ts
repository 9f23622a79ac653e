import { Effect, Semaphore } from "effect"

// A burst of callers after a change must not take all connections of a database.
const lookupsAtOnce = 8

/** Runs a look-up in a database, named by its project or `control`, when it is its turn. */
export type LimitLookups = <A, E>(database: string, lookup: Effect.Effect<A, E>) => Effect.Effect<A, E>

/** At most so many look-ups run at once in a database. Each has a line of its own: one that hangs keeps no other waiting. */
export const limitLookups = (atOnce = lookupsAtOnce): LimitLookups => {
  const lines = new Map<string, { readonly permits: Semaphore.Semaphore; users: number }>()
  return (database, lookup) =>
    Effect.suspend(() => {
      const line = lines.get(database) ?? { permits: Semaphore.makeUnsafe(atOnce), users: 0 }
      lines.set(database, line)
      line.users += 1
      const leave = Effect.sync(() => {
        line.users -= 1
        if (line.users === 0) lines.delete(database)
      })
      return Effect.ensuring(line.permits.withPermit(lookup), leave)
    })
}
