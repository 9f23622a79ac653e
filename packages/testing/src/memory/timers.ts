import type { Clock } from "@hearth/core"
import { Duration, Effect, type Clock as EffectClock } from "effect"

interface Timer {
  readonly dueAt: number
  readonly go: () => void
}

/** The timers of Effect in the time of a manual clock: none fires by itself. */
export interface ManualTimers {
  /** Provide it as `Clock.Clock`: sleeps then wait for `fireDue`. */
  readonly effectClock: EffectClock.Clock
  /** When the next timer fires; null when none waits. */
  nextDueAt(): Date | null
  /** Fires the timers that are due. Answers how many. */
  fireDue(): number
}

/** Timers in the time of `clock`. */
export const manualTimers = (clock: Clock): ManualTimers => {
  const waiting = new Set<Timer>()
  const millis = () => clock.now().getTime()
  const nanos = () => BigInt(millis()) * 1_000_000n
  return {
    effectClock: {
      currentTimeMillisUnsafe: millis,
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanosUnsafe: nanos,
      currentTimeNanos: Effect.sync(nanos),
      monotonicTimeNanosUnsafe: nanos,
      monotonicTimeNanos: Effect.sync(nanos),
      sleep: (duration) =>
        // A retry without a pause sleeps for nothing, which no clock has to be moved for.
        Duration.toMillis(duration) <= 0
          ? Effect.yieldNow
          : Effect.callback<void>((resume) => {
              // The clock shows whole milliseconds, and no sleep is shorter than it was meant to be.
              const dueAt = millis() + Math.ceil(Duration.toMillis(duration))
              const timer = { dueAt, go: () => resume(Effect.void) }
              waiting.add(timer)
              return Effect.sync(() => waiting.delete(timer))
            }),
    },
    nextDueAt: () => (waiting.size === 0 ? null : new Date(Math.min(...[...waiting].map((timer) => timer.dueAt)))),
    fireDue: () => {
      const due = [...waiting].filter((timer) => timer.dueAt <= millis()).sort((a, b) => a.dueAt - b.dueAt)
      for (const timer of due) {
        waiting.delete(timer)
        timer.go()
      }
      return due.length
    },
  }
}
