import { TenantBusy } from "@hearth/core"
import { limitLookups } from "@hearth/core/access"
import { Effect } from "effect"

/** How many reads of one caller a process takes. */
export interface ReadLimits {
  /** So many are done at once. */
  readonly atOnce: number
  /** So many may wait for them. */
  readonly waiting: number
}

// Half of the connections that a project has in a process: the other half is left to its other callers.
const usual: ReadLimits = { atOnce: 4, waiting: 1_000 }

/**
 * Does a read when it is the turn of its caller: a user, or a developer in a project. One that had to wait first asks for its right again.
 * `TENANT_BUSY` where too many of that caller wait.
 */
export type TakeReadTurn = <A, E>(
  caller: string,
  work: Effect.Effect<A, E>,
  checkRight: Effect.Effect<unknown, E>,
) => Effect.Effect<A, E | TenantBusy>

/**
 * A line for each caller. Without it, one user who asks for a slow list again and again at once has all connections of the project, and
 * everybody else waits behind.
 */
export const makeReads = ({ atOnce, waiting }: ReadLimits = usual): TakeReadTurn => {
  const inLine = limitLookups(atOnce)
  const present = new Map<string, number>()
  return <A, E>(caller: string, work: Effect.Effect<A, E>, checkRight: Effect.Effect<unknown, E>) =>
    Effect.suspend((): Effect.Effect<A, E | TenantBusy> => {
      const others = present.get(caller) ?? 0
      if (others >= atOnce + waiting) return Effect.fail(new TenantBusy({ retry_after_seconds: 1 }))
      present.set(caller, others + 1)
      const leave = Effect.sync(() => {
        const left = (present.get(caller) ?? 0) - 1
        if (left === 0) present.delete(caller)
        else present.set(caller, left)
      })
      return Effect.ensuring(inLine(caller, others < atOnce ? work : Effect.andThen(checkRight, work)), leave)
    })
}
