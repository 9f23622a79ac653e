import { Effect, Struct } from "effect"
import { NotFound } from "../../failure.ts"
import { orFail } from "../../lookup.ts"
import type { Ports } from "../../ports/ports.ts"
import { parseSchedule, readRecurrence } from "./config.ts"
import { ScheduleUpdateFailed } from "./failures.ts"
import type { ContentSchedulesDb } from "./port.ts"
import type { ContentScheduleChanges, ContentScheduleRow } from "./schedule.ts"
import type { ScheduleRuns } from "./schedule-runs.ts"
import { showSchedule } from "./show-schedule.ts"
import { startsAnew } from "./ticks.ts"

/** What a schedule becomes. Its type and its config are read together, also where only one of them is given. */
const applyChanges = Effect.fnUntraced(function* (
  before: ContentScheduleRow,
  { schedule_type = before.schedule_type, config = before.config, ...changes }: ContentScheduleChanges,
  now: Date,
) {
  const parsed = yield* Effect.fromResult(parseSchedule(schedule_type, config))
  const after: ContentScheduleRow = { ...before, ...changes, ...parsed, updated_at: now }
  // Rounds are those of `random`: what another type delivered before is not yet drawn.
  const isOther = after.schedule_type !== before.schedule_type
  return {
    ...after,
    round: isOther ? before.round + 1 : before.round,
    looks_from: startsAnew(before, after) ? now : before.looks_from,
  }
})

const isSame = (before: ContentScheduleRow, after: ContentScheduleRow) =>
  JSON.stringify(readRecurrence(before)) === JSON.stringify(readRecurrence(after))

/**
 * Makes the change of a schedule. The row is locked until the workflow is changed, so changes of one schedule come one after the other;
 * without the queue nothing has changed, and where the commit fails the workflow becomes what the row is (ADR 0019).
 */
export const makeChangeSchedule = (
  { clock, tenants }: Pick<Ports<ContentSchedulesDb>, "clock" | "tenants">,
  runs: ScheduleRuns,
) =>
  Effect.fn("content.updateSchedule")(function* (projectId: string, id: string, changes: ContentScheduleChanges) {
    let hasSet = false
    const change = Effect.fnUntraced(function* (db: ContentSchedulesDb) {
      const before = yield* orFail(db.contentSchedules.lock(id), NotFound)
      if (Object.keys(changes).length === 0) return before
      const after = yield* applyChanges(before, changes, clock.now())
      yield* Effect.orDie(db.contentSchedules.update(id, Struct.omit(after, ["id"])))
      if (isSame(before, after)) return after
      yield* Effect.mapError(runs.set(projectId, after), () => new ScheduleUpdateFailed())
      hasSet = true
      return after
    })
    const asks = changes.schedule_type !== undefined || changes.config !== undefined || changes.is_active !== undefined
    if (asks) yield* runs.markPending(projectId)
    const changed = tenants.transact(projectId, change)
    const row = yield* Effect.onError(asks ? runs.whileLocked(changed) : changed, () =>
      hasSet ? runs.align(projectId, id) : Effect.void,
    )
    return showSchedule(row)
  })
