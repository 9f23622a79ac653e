import { TenantBusy } from "@hearth/core"
import { Effect } from "effect"

/** How many reads of one caller a process takes. Times are in milliseconds. */
export interface ReadLimits {
  /** So many are done at once. */
  readonly atOnce: number
  /** So many of a caller who had a slow one lately. */
  readonly slowAtOnce: number
  /** So many may wait for them. */
  readonly waiting: number
  /** A read that takes so long is slow. */
  readonly slowMillis: number
}

// As many as a project has connections in a process. Of slow reads half of that: the other half is left to its other callers.
const usual: ReadLimits = { atOnce: 8, slowAtOnce: 4, waiting: 1_000, slowMillis: 50 }

// For so long it is remembered of a caller, and of so many callers.
const slowIsKnownMillis = 10_000
const mostKnown = 10_000

// Who has waited for less still has the right: revocations take as long to be heard.
const checkMillis = 1_000

/**
 * Does a read when it is the turn of its caller: a user, or a developer in a project. One that had to wait for a second asks for its right
 * again. `TENANT_BUSY` where too many of that caller wait.
 */
export type TakeReadTurn = <A, E>(
  caller: string,
  work: Effect.Effect<A, E>,
  checkRight: Effect.Effect<unknown, E>,
) => Effect.Effect<A, E | TenantBusy>

/** The reads of one caller. */
interface Line {
  readonly caller: string
  active: number
  readonly waiting: Set<() => void>
}

/** Who had a slow read lately. */
const makeSlowCallers = () => {
  const until = new Map<string, number>()
  return {
    has: (caller: string): boolean => (until.size === 0 ? false : (until.get(caller) ?? 0) > performance.now()),
    add: (caller: string) => {
      until.delete(caller)
      until.set(caller, performance.now() + slowIsKnownMillis)
      const [oldest = ""] = until.keys()
      if (until.size > mostKnown) until.delete(oldest)
    },
  }
}

/**
 * A line for each caller. Without it, one user who asks for a slow list again and again at once has all connections of the project, and
 * everybody else waits behind. What finds its turn free, as nearly all reads do, pays for a counter alone.
 */
export const makeReads = (limits: ReadLimits = usual): TakeReadTurn => {
  const lines = new Map<string, Line>()
  const slow = makeSlowCallers()
  const mayBegin = ({ active, caller }: Line) =>
    active < limits.slowAtOnce || (active < limits.atOnce && !slow.has(caller))
  const findLine = (caller: string): Line => {
    const known = lines.get(caller)
    if (known !== undefined) return known
    const line = { caller, active: 0, waiting: new Set<() => void>() }
    lines.set(caller, line)
    return line
  }
  /** Ends a turn; the one who has waited for longest gets the next. */
  const leave = (line: Line) => {
    line.active -= 1
    const [first] = line.waiting
    if (first !== undefined && mayBegin(line)) {
      line.waiting.delete(first)
      line.active += 1
      first()
    }
    if (line.active === 0) lines.delete(line.caller)
  }
  const waitIn = (line: Line) =>
    Effect.callback<void>((resume) => {
      const begin = () => resume(Effect.void)
      line.waiting.add(begin)
      return Effect.sync(() => {
        // Who gives up with the turn in hand gives it back.
        if (!line.waiting.delete(begin)) leave(line)
      })
    })
  /** Does `work` in a turn that `begin` takes. */
  const inTurn = <A, E>(line: Line, begin: () => void, work: Effect.Effect<A, E>) => {
    let since: number | null = null
    const begun = Effect.suspend(() => {
      begin()
      since = performance.now()
      return work
    })
    const end = Effect.sync(() => {
      if (since === null) return
      if (performance.now() - since >= limits.slowMillis) slow.add(line.caller)
      leave(line)
    })
    return Effect.ensuring(begun, end)
  }
  const takeNow = <A, E>(line: Line, work: Effect.Effect<A, E>) =>
    inTurn(
      line,
      () => {
        line.active += 1
      },
      work,
    )
  const takeLater = <A, E>(line: Line, work: Effect.Effect<A, E>, checkRight: Effect.Effect<unknown, E>) =>
    Effect.uninterruptibleMask((restore) => {
      const since = performance.now()
      const checked = Effect.suspend(() =>
        performance.now() - since < checkMillis ? work : Effect.andThen(checkRight, work),
      )
      return Effect.andThen(
        restore(waitIn(line)),
        inTurn(line, () => {}, restore(checked)),
      )
    })
  return <A, E>(caller: string, work: Effect.Effect<A, E>, checkRight: Effect.Effect<unknown, E>) =>
    Effect.suspend((): Effect.Effect<A, E | TenantBusy> => {
      const line = findLine(caller)
      if (line.waiting.size === 0 && mayBegin(line)) return takeNow(line, work)
      if (line.waiting.size < limits.waiting) return takeLater(line, work, checkRight)
      return Effect.fail(new TenantBusy({ retry_after_seconds: 1 }))
    })
}
