import { Effect, Option } from "effect"
import type { TenantBusy } from "../failure.ts"
import type { Ports } from "../ports/ports.ts"
import type { EventEffectsDb } from "./port.ts"

/** How long effects are kept [G9.1]. */
export const keptMillis = 24 * 3_600_000
/** The most calls of a process that wait for the background at once [G9.1]. */
export const mostWaiting = 200

/** How long a call waits, in milliseconds [G9.1]. */
export const mostMillis = 5_000

// The first look at the background's work, then ever longer.
const firstPauseMillis = 20
const longestPauseMillis = 250

/** A call that asks what an event did. */
export interface Asking {
  readonly projectId: string
  /** Until when it waits, in milliseconds of the clock. */
  readonly until: number
}

/** Runs work of a call in its project's database when it is its turn. Fails with `TENANT_BUSY` where it is too late then. */
export type InTurn = <A, E>(asking: Asking, work: Effect.Effect<A, E>) => Effect.Effect<A, E | TenantBusy>

/** Waits for what the background does with events. */
export const makeAwaitEffects = <Db extends EventEffectsDb>(
  { clock, tenants }: Pick<Ports<Db>, "clock" | "tenants">,
  inTurn: InTurn,
) => {
  let waiting = 0

  /** What an event did; null when that is not known by `until`, or will not be. No connection is held between two looks. */
  const look = Effect.fnUntraced(function* (asking: Asking, eventId: string, until: number) {
    for (let pause = firstPauseMillis; ; pause = Math.min(longestPauseMillis, pause * 1.5)) {
      const read = tenants.read(asking.projectId, (db) => db.eventEffects.find(eventId))
      const found = Option.getOrNull(yield* inTurn(asking, read))
      const now = clock.now().getTime()
      if (found === null || found.is_set_aside || found.asked_at.getTime() <= now - keptMillis) return null
      if (found.effects !== null) return found.effects
      // Where there is more time than there ever was, the clock was set back.
      if (now >= until || until - now > 2 * mostMillis) return null
      yield* Effect.sleep(Math.min(pause, Math.max(1, until - now)))
    }
  })

  /** What an event did; null when it took too long. The event is written, so a database that is busy by now fails nothing. */
  return (asking: Asking, eventId: string) => {
    const looking = Effect.suspend(() => {
      // Beyond the bound only what is known already is answered.
      if (waiting >= mostWaiting) return look(asking, eventId, 0)
      waiting += 1
      return Effect.ensuring(
        look(asking, eventId, asking.until),
        Effect.sync(() => {
          waiting -= 1
        }),
      )
    })
    return Effect.catchTags(looking, {
      TenantBusy: () => Effect.succeed(null),
      TenantUnavailable: () => Effect.succeed(null),
    })
  }
}
