import { Deferred, Effect, Exit } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { BackgroundControlDb } from "./port.ts"

// A mark covers what is committed within two minutes; half of that leaves room for the commit itself.
const markMillis = 60_000
// Under load the queue is told of a project this often, not for every event; the first event is told of at once.
const nudgeGap = "250 millis"

/** The job of a project that is its outbox. */
export const outboxJob = "outbox"

/**
 * Tells of work in a project: a mark before the commit makes it certain that somebody looks, a nudge after it makes it prompt.
 * `start` asks the queue for a run.
 */
export const makeNudges = (
  { clock, control, signals }: Pick<Ports<never, BackgroundControlDb>, "clock" | "control" | "signals">,
  start: (projectId: string) => Effect.Effect<void, unknown>,
) => {
  const marks = new Map<string, number>()
  const marking = new Map<string, Deferred.Deferred<void>>()
  const nudging = new Set<string>()
  const again = new Set<string>()

  const nudgeLoop: (projectId: string) => Effect.Effect<void> = Effect.fnUntraced(function* (projectId) {
    do {
      again.delete(projectId)
      const told = yield* Effect.exit(start(projectId))
      if (Exit.isFailure(told)) signals.emit({ name: "nudge_failed", project_id: projectId })
      yield* Effect.sleep(nudgeGap)
    } while (again.has(projectId))
    nudging.delete(projectId)
  })

  // Not interrupted, because others wait for it.
  const mark = (projectId: string, now: Date): Effect.Effect<void> =>
    Effect.suspend(() => {
      const marked = Deferred.makeUnsafe<void>()
      marking.set(projectId, marked)
      return control
        .transact((db) => db.jobs.markPending(projectId, outboxJob, now, now))
        .pipe(
          Effect.tap(Effect.sync(() => marks.set(projectId, now.getTime()))),
          Effect.onExit((exit) => {
            marking.delete(projectId)
            return Deferred.done(marked, exit)
          }),
          Effect.uninterruptible,
        )
    })

  return {
    /** To be called before work is committed: from now on the poll looks at the project. */
    markPending: (projectId: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const now = clock.now()
        const marked = marks.get(projectId)
        if (marked !== undefined && Math.abs(now.getTime() - marked) < markMillis) return Effect.void
        // Many who come at once wait for one mark, and take one connection.
        const under = marking.get(projectId)
        return under === undefined ? mark(projectId, now) : Deferred.await(under)
      }),

    /** To be called after it was committed: the project is processed at once, if the queue can be reached. Never waits, never fails. */
    nudge: (projectId: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        again.add(projectId)
        if (nudging.has(projectId)) return Effect.void
        nudging.add(projectId)
        return Effect.asVoid(Effect.forkDetach(nudgeLoop(projectId), { startImmediately: true }))
      }),
  }
}
