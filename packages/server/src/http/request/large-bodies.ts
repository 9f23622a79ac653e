import { TenantBusy } from "@hearth/core"
import { limitLookups } from "@hearth/core/access"
import { Effect, Semaphore } from "effect"

/** From this size on, a body waits for its turn. Single calls of an app are smaller. */
export const largeBytes = 16 * 1024

/** How much of the large bodies of one caller a process takes. */
export interface LargeBodyLimits {
  /** So many are parsed and done at once. */
  readonly atOnce: number
  /** So many bytes may be here, waiting ones included. */
  readonly bytes: number
}

// As many as a project has connections in a process, so that nothing waits that could go on.
const usual: LargeBodyLimits = { atOnce: 8, bytes: 64 * 1024 * 1024 }

/**
 * So often the event loop turns before the next is begun. It accepts one connection in each turn, so whoever connects would wait for as many
 * large bodies as came before.
 */
export const turnsBetween = 10

const letLoopTurn = Effect.callback<void>((resume) => {
  let left = turnsBetween
  const turn = () => {
    left -= 1
    if (left === 0) resume(Effect.void)
    else setImmediate(turn)
  }
  setImmediate(turn)
})

/**
 * Does what a body asks for, from its parsing on, when it is the turn of its caller: a user or a developer. `TENANT_BUSY` where too much of
 * that caller is here.
 */
export type TakeTurn = <A, E>(
  caller: string,
  bytes: number,
  work: Effect.Effect<A, E>,
) => Effect.Effect<A, E | TenantBusy>

/**
 * A line for each caller. Without it, a hundred batches that come at once are all parsed before anybody else is answered: calls of other
 * projects waited for a second, and for two where they had to connect.
 */
export const makeLargeBodies = ({ atOnce, bytes: most }: LargeBodyLimits = usual): TakeTurn => {
  const inLine = limitLookups(atOnce)
  /** The bytes that are here, by caller. */
  const present = new Map<string, number>()
  // One after the other, of all callers: each is begun in a turn of its own.
  const beginning = Semaphore.makeUnsafe(1)
  const toBegin = beginning.withPermit(letLoopTurn)
  const add = (caller: string, bytes: number) => {
    const sum = (present.get(caller) ?? 0) + bytes
    if (sum === 0) present.delete(caller)
    else present.set(caller, sum)
  }
  return <A, E>(caller: string, bytes: number, work: Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | TenantBusy> => {
      const others = present.get(caller) ?? 0
      if (others > 0 && others + bytes > most) return Effect.fail(new TenantBusy({ retry_after_seconds: 1 }))
      add(caller, bytes)
      return Effect.ensuring(
        inLine(caller, Effect.andThen(toBegin, work)),
        Effect.sync(() => add(caller, -bytes)),
      )
    })
}
