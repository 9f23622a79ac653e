import { TenantBusy } from "@hearth/core"
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

// The event loop accepts one connection in each turn, so whoever connects would wait for as many large bodies as came before.
const turnsBetween = 10

const letLoopTurn = Effect.callback<void>((resume) => {
  let left = turnsBetween
  const turn = () => {
    left -= 1
    if (left === 0) resume(Effect.void)
    else setImmediate(turn)
  }
  setImmediate(turn)
})

interface Line {
  readonly permits: Semaphore.Semaphore
  users: number
  bytes: number
}

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
  const lines = new Map<string, Line>()
  // One after the other, of all callers: each is begun in a turn of its own.
  const beginning = Semaphore.makeUnsafe(1)
  const toBegin = beginning.withPermit(letLoopTurn)
  const enter = (caller: string, bytes: number): Line | null => {
    const line = lines.get(caller) ?? { permits: Semaphore.makeUnsafe(atOnce), users: 0, bytes: 0 }
    if (line.users > 0 && line.bytes + bytes > most) return null
    line.users += 1
    line.bytes += bytes
    lines.set(caller, line)
    return line
  }
  const leave = (caller: string, line: Line, bytes: number) => {
    line.users -= 1
    line.bytes -= bytes
    if (line.users === 0) lines.delete(caller)
  }
  return <A, E>(caller: string, bytes: number, work: Effect.Effect<A, E>) =>
    Effect.suspend((): Effect.Effect<A, E | TenantBusy> => {
      const line = enter(caller, bytes)
      if (line === null) return Effect.fail(new TenantBusy({ retry_after_seconds: 1 }))
      return Effect.ensuring(
        line.permits.withPermit(Effect.andThen(toBegin, work)),
        Effect.sync(() => leave(caller, line, bytes)),
      )
    })
}
