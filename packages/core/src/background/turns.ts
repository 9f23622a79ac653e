import { Effect } from "effect"
import type { Ports } from "../ports/ports.ts"

// A worker runs eight workflows side by side. Work that takes long must leave some of that to campaigns and reactions.
const longAtOnce = 2
// A project that was turned away is waited for no longer than this after it has asked last.
const patienceMillis = 10_000
// However long turns are, the next of its runs asks before that.
const mostBetween = 2_000

/** What the work has answered when it had its turn; otherwise when to ask again. */
export type Turn<A> = { readonly done: A } | { readonly again_at: Date }

/** Turns at work that may take long, of the projects of one process. */
export interface Turns {
  /** Runs work where it is the project's turn; otherwise it is to ask again, not before `pauseMillis` from now. */
  take<A, E>(projectId: string, work: Effect.Effect<A, E>, pauseMillis: number): Effect.Effect<Turn<A>, E>
}

/**
 * Gives `atOnce` turns at once in this process, and `ofProject` to a project, in the order in which projects ask. So the many runs of
 * one project keep neither the reactions of others waiting nor their runs.
 */
export const makeTurns = ({ clock }: Pick<Ports, "clock">, atOnce = longAtOnce, ofProject = 1): Turns => {
  // How many turns each project has now, and all of them.
  const running = new Map<string, number>()
  let busy = 0
  // Those that were turned away and had no turn since, in their order, with the time at which each has asked last.
  const waiting = new Map<string, number>()
  // When the last of the runs of a project that were turned away asks again.
  const lines = new Map<string, number>()
  // Of its runs that were turned away one asks after the other, somewhat faster than it may get turns, so that none is left unused.
  let between = 0

  const forget = (now: number) => {
    for (const [projectId, askedAt] of waiting) if (askedAt + patienceMillis <= now) waiting.delete(projectId)
    for (const [projectId, endsAt] of lines) if (endsAt <= now) lines.delete(projectId)
  }

  const mayHaveOne = (projectId: string): boolean => (running.get(projectId) ?? 0) < ofProject

  const isTurnOf = (projectId: string): boolean => {
    if (!mayHaveOne(projectId) || busy >= atOnce) return false
    const line = [...waiting.keys()].filter(mayHaveOne)
    const place = line.indexOf(projectId)
    return (place < 0 ? line.length : place) < atOnce - busy
  }

  const count = (projectId: string, change: 1 | -1) => {
    busy += change
    const turns = (running.get(projectId) ?? 0) + change
    if (turns === 0) running.delete(projectId)
    else running.set(projectId, turns)
  }

  const turnAway = (projectId: string, now: number, pauseMillis: number) => {
    waiting.set(projectId, now)
    const at = Math.max(now + pauseMillis, (lines.get(projectId) ?? 0) + between)
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
        count(projectId, 1)
        const end = Effect.sync(() => {
          count(projectId, -1)
          const millis = Math.max(0, clock.now().getTime() - began)
          between = Math.min(mostBetween, Math.ceil(millis / ofProject / 2))
        })
        return Effect.map(Effect.ensuring(work, end), (done) => ({ done }))
      }),
  }
}
