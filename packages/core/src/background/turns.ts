import { Effect } from "effect"
import type { Ports } from "../ports/ports.ts"

// A worker runs eight workflows side by side. Work that takes long must leave some of that to campaigns and reactions.
const longAtOnce = 2
// A project that was turned away is waited for no longer than this after it has asked last.
const patienceMillis = 10_000
// However long turns are, the next of its runs asks before that.
const mostBetween = 2_000
// Nor is a run put off for longer than this, however many stand in line.
const mostAhead = 30_000

/** What the work has answered when it had its turn; otherwise when to ask again. */
export type Turn<A> = { readonly done: A } | { readonly again_at: Date }

/** Turns at work that may take long, of the projects of one process. */
export interface Turns {
  /** Runs work where it is the project's turn; otherwise it is to ask again, not before `pauseMillis` from now. */
  take<A, E>(projectId: string, work: Effect.Effect<A, E>, pauseMillis: number): Effect.Effect<Turn<A>, E>
  /** Waits no longer for a project that was turned away: what it asked for is done. */
  leave(projectId: string): void
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
  // Of the runs of a project that were turned away one asks after the other, somewhat faster than it gets turns, so that none is left
  // unused: when the last of them does, and how long after the one before it.
  const lines = new Map<string, { readonly endsAt: number; readonly between: number }>()

  const forget = (now: number) => {
    // Who asked in the future, before the clock was set back, does not ask again before that.
    for (const [projectId, askedAt] of waiting) if (Math.abs(now - askedAt) >= patienceMillis) waiting.delete(projectId)
    for (const [projectId, { endsAt }] of lines) if (endsAt <= now) lines.delete(projectId)
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
    const { endsAt, between } = lines.get(projectId) ?? { endsAt: 0, between: 0 }
    const at = Math.min(Math.max(now + pauseMillis, endsAt + between), now + mostAhead)
    lines.set(projectId, { endsAt: at, between })
    return new Date(at)
  }

  return {
    leave: (projectId) => void waiting.delete(projectId),

    take: <A, E>(projectId: string, work: Effect.Effect<A, E>, pauseMillis: number) =>
      Effect.suspend((): Effect.Effect<Turn<A>, E> => {
        const began = clock.now().getTime()
        forget(began)
        if (!isTurnOf(projectId)) return Effect.succeed({ again_at: turnAway(projectId, began, pauseMillis) })
        waiting.delete(projectId)
        count(projectId, 1)
        const end = Effect.sync(() => {
          count(projectId, -1)
          const line = lines.get(projectId)
          const millis = Math.max(0, clock.now().getTime() - began)
          const between = Math.min(mostBetween, Math.ceil(millis / ofProject / 2))
          if (line !== undefined) lines.set(projectId, { ...line, between })
        })
        return Effect.map(Effect.ensuring(work, end), (done) => ({ done }))
      }),
  }
}
