import { Effect } from "effect"
import type { ProjectJob } from "../../background/work.ts"
import type { Ports } from "../../ports/ports.ts"
import { readRecurrence } from "./config.ts"
import type { ContentSchedulesDb } from "./port.ts"
import type { ContentScheduleRow } from "./schedule.ts"
import { type DeliverDue, type ScheduleRuns, schedulesJob } from "./schedule-runs.ts"
import { findDueTick } from "./ticks.ts"

// As often as a worker polls [E10].
const everyMillis = 30_000
// What has been due for so long is not being delivered by its own workflow.
const lostMillis = 15_000
// So long what is overdue in one project is delivered in one run. What is left is due at once, after the jobs of others.
const runMillis = 30_000

const describe = (rows: ReadonlyArray<ContentScheduleRow>) =>
  new Map(rows.map((row) => [row.id, JSON.stringify(readRecurrence(row))]))

/** Those with a tick that is overdue, the longest first. */
const findLost = (rows: ReadonlyArray<ContentScheduleRow>, now: Date) =>
  rows
    .flatMap((row) => {
      const tick = findDueTick(row, now)
      return tick !== null && now.getTime() - tick.getTime() > lostMillis ? [{ row, tick }] : []
    })
    .toSorted((one, other) => one.tick.getTime() - other.tick.getTime())

/**
 * Makes the workflows of schedules what their rows say, and delivers what is overdue: the queue may have lost a workflow, or was never
 * told of a change [E10].
 */
export const makeReconcileSchedules = (
  { clock, tenants }: Pick<Ports<ContentSchedulesDb>, "clock" | "tenants">,
  runs: Pick<ScheduleRuns, "end" | "set">,
  deliverDue: DeliverDue,
): ProjectJob => {
  const list = (projectId: string) =>
    tenants.read(projectId, (db) => db.contentSchedules.list({}, [["created_at", "asc"]]))

  const setAll = Effect.fnUntraced(function* (projectId: string, rows: ReadonlyArray<ContentScheduleRow>) {
    for (const row of rows) yield* runs.set(projectId, row)
    // Who changed a row meanwhile may have told the queue before this did.
    const known = describe(rows)
    const now = yield* list(projectId)
    for (const row of now)
      if (known.get(row.id) !== JSON.stringify(readRecurrence(row))) yield* runs.set(projectId, row)
    const left = new Set(now.map(({ id }) => id))
    for (const { id } of rows) if (!left.has(id)) yield* runs.end(projectId, id)
  })

  return {
    name: schedulesJob,
    run: Effect.fn("content.reconcileSchedules")(function* (projectId) {
      const rows = yield* list(projectId)
      const now = clock.now()
      // Without the queue, the next look does it.
      yield* Effect.catchTag(setAll(projectId, rows), "QueueUnavailable", () => Effect.void)
      for (const { row } of findLost(rows, now)) {
        if (clock.now().getTime() >= now.getTime() + runMillis) return clock.now()
        yield* deliverDue(projectId, row.id)
      }
      return rows.some(({ is_active }) => is_active) ? new Date(now.getTime() + everyMillis) : null
    }),
  }
}
