import { Effect, Option, Schema, Semaphore } from "effect"
import type { BackgroundControlDb } from "../../background/port.ts"
import type { Turns } from "../../background/turns.ts"
import { TenantBusy, type TenantFailure } from "../../failure.ts"
import type { Ports } from "../../ports/ports.ts"
import type { QueueUnavailable, Workflow } from "../../ports/workflow-runner.ts"
import { makeInProject } from "../../projects/in-project.ts"
import type { ProjectsDb } from "../../projects/port.ts"
import { Uuid } from "../../schema.ts"
import { readRecurrence } from "./config.ts"
import type { ContentSchedulesDb } from "./port.ts"
import type { ContentScheduleRow } from "./schedule.ts"

const Delivery = Schema.Struct({ project_id: Uuid, schedule_id: Uuid })

/** The job of a project that makes the workflows of its schedules what their rows say. */
export const schedulesJob = "content.schedules"

// A row stays locked while the queue is asked (ADR 0019). This many connections may be waiting for it in a process.
const mostAtOnce = 4
// As long as callers wait for a connection.
const patience = "5 seconds"
// A delivery whose project has another one under way asks again after this.
const againMillis = 200
// A row that changes all the time is left to the project's job.
const mostLooks = 3

/** The name that answers have for the workflow of a schedule (spec: content). Queues of earlier releases have it as its id. */
export const nameWorkflow = (scheduleId: string): string => `content-schedule-${scheduleId}`

// A restored copy of a project has schedules of the same ids.
const idInQueue = (projectId: string, scheduleId: string) => `${projectId}/${scheduleId}`

/** Delivers the tick of a schedule that is due, if there is one. Answers whether the schedule is there. */
export type DeliverDue = (projectId: string, scheduleId: string) => Effect.Effect<boolean, TenantFailure>

/** Makes and ends the workflows of schedules. */
export interface ScheduleRuns {
  /** Makes the workflow what the row says: it fires at its ticks, or there is none. `QUEUE_UNAVAILABLE` [E10]. */
  set(projectId: string, row: ContentScheduleRow): Effect.Effect<void, QueueUnavailable>
  /** Ends the workflow. `QUEUE_UNAVAILABLE` [E10]. */
  end(projectId: string, scheduleId: string): Effect.Effect<void, QueueUnavailable>
  /** Makes the workflow what the row is by now, also when that changes meanwhile. A failure is left to the project's job. */
  align(projectId: string, scheduleId: string): Effect.Effect<void>
  /** To be called before something is committed that needs another workflow: from then on the project's job looks after it. */
  markPending(projectId: string): Effect.Effect<void>
  /**
   * Runs work that asks the queue while it has a row locked: few at a time, so that it cannot take all connections. Fails as the work
   * does.
   */
  whileLocked<A, E>(work: Effect.Effect<A, E>): Effect.Effect<A, E | TenantBusy>
}

/**
 * The workflow of schedules (spec: CONTENT_DELIVERY). It says only that it is time: what is delivered is decided by the row. One whose
 * schedule or project is gone ends itself.
 */
export const makeScheduleRuns = (
  {
    clock,
    control,
    tenants,
    workflows,
  }: Pick<Ports<ContentSchedulesDb, BackgroundControlDb & ProjectsDb>, "clock" | "control" | "tenants" | "workflows">,
  deliverDue: DeliverDue,
  turns: Turns,
) => {
  const inProject = makeInProject(control)
  const contentDelivery: Workflow<typeof Delivery.Type> = {
    name: "content-delivery",
    input: Delivery,
    // A project that cannot be reached is a run that dies: it is tried again. One that was removed took its schedules along.
    run: Effect.fnUntraced(function* ({ project_id, schedule_id }) {
      const delivery = inProject(project_id, deliverDue(project_id, schedule_id)).pipe(
        Effect.catchTag("ProjectNotFound", () => Effect.succeed(false)),
        Effect.orDie,
      )
      // One after the other: hundreds of schedules that draw from a large library must leave the workers to others.
      const turn = yield* turns.take(project_id, delivery, againMillis)
      if ("again_at" in turn) return yield* startLater(project_id, schedule_id, turn.again_at)
      if (!turn.done) yield* Effect.orDie(end(project_id, schedule_id))
      // This run may be of an entry of an earlier release. The project's job makes the one that replaces it.
      yield* Effect.ignore(workflows.unschedule(contentDelivery, nameWorkflow(schedule_id)))
    }),
  }
  /** Where the queue cannot be asked, the project's job delivers what is overdue. */
  const startLater = (project_id: string, schedule_id: string, at: Date) =>
    Effect.ignore(
      workflows.start(contentDelivery, idInQueue(project_id, schedule_id), { project_id, schedule_id }, { at }),
    )
  const end = (projectId: string, scheduleId: string) =>
    workflows.unschedule(contentDelivery, idInQueue(projectId, scheduleId))
  const set = (project_id: string, row: ContentScheduleRow) => {
    const recurrence = readRecurrence(row)
    if (recurrence === null) return end(project_id, row.id)
    const id = idInQueue(project_id, row.id)
    return workflows.schedule(contentDelivery, id, recurrence, { project_id, schedule_id: row.id })
  }
  const find = (projectId: string, id: string) =>
    Effect.map(
      tenants.read(projectId, (db) => db.contentSchedules.find({ id })),
      Option.getOrNull,
    )
  const permits = Semaphore.makeUnsafe(mostAtOnce)

  const runs: ScheduleRuns = {
    set,
    end,
    align: (projectId, scheduleId) =>
      Effect.gen(function* () {
        let known: string | null = null
        for (let looks = 0; looks < mostLooks; looks += 1) {
          const row: ContentScheduleRow | null = yield* find(projectId, scheduleId)
          const wanted = JSON.stringify(row === null ? null : readRecurrence(row))
          if (wanted === known) return
          known = wanted
          yield* row === null ? end(projectId, scheduleId) : set(projectId, row)
        }
      }).pipe(Effect.ignoreCause),
    markPending: (projectId) => {
      const now = clock.now()
      return control.transact((db) => db.jobs.markPending(projectId, schedulesJob, now, now))
    },
    whileLocked: (work) =>
      Effect.uninterruptibleMask((restore) => {
        const late = () => Effect.fail(new TenantBusy({ retry_after_seconds: 1 }))
        const turn = Effect.timeoutOrElse(permits.take(1), { duration: patience, orElse: late })
        return Effect.flatMap(restore(turn), () => Effect.ensuring(restore(work), permits.release(1)))
      }),
  }
  return { ...runs, contentDelivery }
}
