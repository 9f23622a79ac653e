import { Effect } from "effect"
import type { Ports } from "../ports/ports.ts"

// A worker runs eight workflows side by side. Work that takes long must leave some of that to campaigns and reactions.
const longAtOnce = 2
// A project that was turned away is waited for no longer than this after it has asked last.
const patienceMillis = 10_000

/** What the work has answered when it had its turn; otherwise when to ask again. */
export type Turn<A> = { readonly done: A } | { readonly again_at: Date }

/** Turns at work that may take long, of the projects of one process. */
export interface Turns {
  /** Runs work where it is the project's turn; otherwise it is to ask again, not before `pauseMillis` from now. */
  take<A, E>(projectId: string, work: Effect.Effect<A, E>, pauseMillis: number): Effect.Effect<Turn<A>, E>
}

/**
 * Gives `atOnce` turns at once in this process, and one to a project, in the order in which projects ask. So the many runs of one
 * project keep neither the reactions of others waiting nor their runs.
 */
export const makeTurns = ({ clock }: Pick<Ports, "clock">, atOnce = longAtOnce): Turns => {
  const running = new Set<string>()
  // Those that were turned away and had no turn since, in their order, with the time at which each has asked last.
  const waiting = new Map<string, number>()
  // When the last of the runs of a project that were turned away asks again.
  const lines = new Map<string, number>()
  let lastMillis = 0

  const forget = (now: number) => {
    for (const [projectId, askedAt] of waiting) if (askedAt + patienceMillis <= now) waiting.delete(projectId)
    for (const [projectId, endsAt] of lines) if (endsAt <= now) lines.delete(projectId)
  }

  const isTurnOf = (projectId: string): boolean => {
    if (running.has(projectId) || running.size >= atOnce) return false
    const others = [...waiting.keys()].filter((other) => other === projectId || !running.has(other))
    const place = others.indexOf(projectId)
    return (place < 0 ? others.length : place) < atOnce - running.size
  }

  /** Its runs come one after the other, about as fast as they get their turns. */
  const turnAway = (projectId: string, now: number, pauseMillis: number) => {
    waiting.set(projectId, now)
    const at = Math.max(now + pauseMillis, (lines.get(projectId) ?? 0) + lastMillis)
    lines.set(projectId, at)
    return new Date(at)
  }

  return {
    take: <A, E>(projectId: string, work: Effect.Effect<A, E>, pauseMillis: number) =>
      Effect.suspend((): Effect.Effect<Turn<A>, E> => {
        const began = clock.now().getTime()
        forget(began)
        if (!isTurnOf(projectId)) return Effect.succeed({ again_at: turnAway(projectId, began, pauseMillis) })
        waiting.delete(projectId)
        running.add(projectId)
        const end = Effect.sync(() => {
          running.delete(projectId)
          lastMillis = Math.max(0, clock.now().getTime() - began)
        })
        return Effect.map(Effect.ensuring(work, end), (done) => ({ done }))
      }),
  }
}
