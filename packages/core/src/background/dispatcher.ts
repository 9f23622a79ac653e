import { Effect, Exit, Schema } from "effect"
import type { Ports } from "../ports/ports.ts"
import type { TenantDb } from "../ports/tenants.ts"
import type { Workflow } from "../ports/workflow-runner.ts"
import { Uuid } from "../schema.ts"
import type { OutboxEntry } from "./port.ts"
import type { Reaction } from "./reaction.ts"

// A mark is good for a minute: nothing is committed later than that after it was asked for [control plane: activity].
const markMillis = 60_000
// Under load the queue is told of a project this often, not for every event; the first event is told of at once.
const nudgeGap = "250 millis"
/** How many events are handled in one transaction. */
const batchSize = 2_000
// One project with a long backlog must not keep the others waiting.
const sweepConcurrency = 4

/** What a feature does when a project is looked after: `next` does one bounded piece of it and says whether there may be more. */
export interface Chore {
  readonly next: (db: TenantDb) => Effect.Effect<boolean>
  /** When it has to be done again without anybody asking; null is never. */
  readonly wakeAt?: (db: TenantDb) => Effect.Effect<Date | null>
}

/** Does a bounded piece of what a `streak-definition` entry asks for, and answers what is left of it; null is nothing. */
export type Refold = (
  db: TenantDb,
  subject: NonNullable<OutboxEntry["subject"]>,
) => Effect.Effect<OutboxEntry["subject"]>

const TendProject = Schema.Struct({ project_id: Uuid })

/**
 * Looks after projects: runs the reactions to new events, and the chores whose time has come. A nudge through the queue
 * makes it prompt; the sweep over the projects with activity makes it certain [E1, E10].
 */
export const makeTending = (
  ports: Pick<Ports, "clock" | "control" | "signals" | "tenants" | "workflows">,
  reactions: ReadonlyArray<Reaction>,
  refold: Refold,
  chores: ReadonlyArray<Chore>,
) => {
  const { clock, control, signals, tenants, workflows } = ports
  const marks = new Map<string, number>()
  const nudging = new Set<string>()
  const again = new Set<string>()

  const react = Effect.fnUntraced(function* (db: TenantDb) {
    yield* db.outbox.hold()
    const { entries, events } = yield* db.outbox.next(batchSize)
    const [oldest] = entries
    if (oldest === undefined) return null
    if (events.length > 0) yield* Effect.forEach(reactions, (reaction) => reaction(db, events), { discard: true })
    for (const { topic, subject } of entries) {
      if (topic !== "streak-definition" || subject === null) continue
      const rest = yield* refold(db, subject)
      if (rest !== null) yield* db.outbox.add("streak-definition", rest)
    }
    yield* db.outbox.remove(entries.map((entry) => entry.id))
    return { events: events.length, since: oldest.created_at }
  })

  /** Handles everything that waits in a project. Two at once do nothing twice. */
  const tend = Effect.fn("tending.tend")(function* (projectId: string) {
    const startedAt = clock.now()
    for (;;) {
      const batch = yield* tenants.transact(projectId, react)
      if (batch === null) break
      const lag_seconds = Math.max(0, clock.now().getTime() - batch.since.getTime()) / 1000
      signals.emit({ name: "events_reacted", project_id: projectId, events: batch.events, lag_seconds })
    }
    for (const chore of chores) {
      while (yield* tenants.transact(projectId, (db) => Effect.andThen(db.outbox.hold(), chore.next(db)))) {}
    }
    const wakes = yield* tenants.read(projectId, (db) =>
      Effect.forEach(chores, (chore) => chore.wakeAt?.(db) ?? Effect.succeed(null)),
    )
    const soonest = wakes.filter((wake) => wake !== null).sort((a, b) => a.getTime() - b.getTime())[0] ?? null
    yield* control.transact((db) => db.activity.drained(projectId, startedAt, soonest))
  })

  const tendProject: Workflow<typeof TendProject.Type> = {
    name: "tend-project",
    input: TendProject,
    run: ({ project_id }) =>
      Effect.asVoid(
        Effect.catchTag(tend(project_id), "TenantUnavailable", () =>
          Effect.sync(() => signals.emit({ name: "tending_failed", project_id, reason: "TENANT_UNAVAILABLE" })),
        ),
      ),
  }

  const start = (projectId: string) => workflows.start(tendProject, projectId, { project_id: projectId })

  const nudgeLoop: (projectId: string) => Effect.Effect<void> = Effect.fnUntraced(function* (projectId) {
    do {
      again.delete(projectId)
      const told = yield* Effect.exit(start(projectId))
      if (Exit.isFailure(told)) signals.emit({ name: "nudge_failed", project_id: projectId })
      yield* Effect.sleep(nudgeGap)
    } while (again.has(projectId))
    nudging.delete(projectId)
  })

  return {
    /** The workflow that looks after one project. The worker serves it. */
    tendProject,

    tend,

    /** To be called before something that needs tending is committed: from now on the sweep looks at the project. */
    mark: (projectId: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        const now = clock.now()
        const marked = marks.get(projectId)
        if (marked !== undefined && Math.abs(now.getTime() - marked) < markMillis) return Effect.void
        return Effect.tap(
          control.transact((db) => db.activity.mark(projectId, now)),
          Effect.sync(() => marks.set(projectId, now.getTime())),
        )
      }),

    /** To be called after it was committed: the project is looked after at once, if the queue can be reached. Never waits, never fails. */
    nudge: (projectId: string): Effect.Effect<void> =>
      Effect.suspend(() => {
        again.add(projectId)
        if (nudging.has(projectId)) return Effect.void
        nudging.add(projectId)
        return Effect.asVoid(Effect.forkDetach(nudgeLoop(projectId), { startImmediately: true }))
      }),

    /** Looks after every project that may have work waiting. What the queue was not told of, or has lost, is found here. */
    sweep: Effect.fn("tending.sweep")(function* () {
      const due = yield* control.read((db) => db.activity.due(clock.now()))
      yield* Effect.forEach(
        due,
        (projectId) =>
          Effect.catchCause(Effect.asVoid(tend(projectId)), (cause) =>
            Effect.sync(() =>
              signals.emit({ name: "tending_failed", project_id: projectId, reason: String(cause).slice(0, 500) }),
            ),
          ),
        { discard: true, concurrency: sweepConcurrency },
      )
      return due.length
    }),
  }
}

/** Looks after projects. */
export type Tending = ReturnType<typeof makeTending>
