import { Effect } from "effect"
import { NotFound, QuotaExceeded } from "../../failure.ts"
import { orFail } from "../../lookup.ts"
import type { Ports } from "../../ports/ports.ts"
import type { Slice } from "../../ports/table.ts"
import { dayMillis } from "../../time/zones.ts"
import type { ContentDb } from "../port.ts"
import { makeChangeSchedule } from "./change-schedule.ts"
import { parseSchedule } from "./config.ts"
import { makeDeliver } from "./deliver.ts"
import { ScheduleDeleteFailed, ScheduleNotCreated } from "./failures.ts"
import type { ContentSchedulesDb } from "./port.ts"
import { makePreviewSchedule } from "./preview-schedule.ts"
import type { ContentScheduleRow, NewContentSchedule } from "./schedule.ts"
import type { ScheduleRuns } from "./schedule-runs.ts"
import { showSchedule } from "./show-schedule.ts"

/** The most schedules of a project [I0.2]. */
const maxSchedules = 200

/** Items that are delivered by themselves (spec: content, schedules; I1.3 to I1.6). Each row owns exactly one workflow. */
export const makeContentSchedules = (
  ports: Pick<Ports<ContentDb & ContentSchedulesDb>, "clock" | "ids" | "tenants">,
  runs: ScheduleRuns,
) => {
  const { clock, ids, tenants } = ports

  const makeRow = Effect.fnUntraced(function* ({ library_id, name, schedule_type, config }: NewContentSchedule) {
    const parsed = yield* Effect.fromResult(parseSchedule(schedule_type, config))
    const now = clock.now()
    return {
      ...{ id: ids.uuid(), library_id, name, ...parsed, is_active: true, config_key: `content_${ids.uuid()}` },
      ...{ looks_from: now, last_tick_at: null, last_sort_order: null, last_item_id: null, round: 0 },
      ...{ created_at: now, updated_at: now },
    } satisfies ContentScheduleRow
  })

  /** Removes a row that got no workflow. Where that fails too, the project's job makes the workflow. */
  const takeBack = (projectId: string, id: string) =>
    Effect.ignore(tenants.transact(projectId, (db) => db.contentSchedules.remove({ id })))

  return {
    /**
     * Makes a schedule with its workflow [I1.5]. `NOT_FOUND` without the library; `INVALID_SCHEDULE_CONFIG`; `QUOTA_EXCEEDED` over 200 of
     * a project [I0.2]; `CREATE_FAILED` without the queue, and then there is neither.
     */
    create: Effect.fn("content.createSchedule")(function* (projectId: string, input: NewContentSchedule) {
      const row = yield* makeRow(input)
      yield* runs.markPending(projectId)
      yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.contentLibraries.lock(row.library_id, "key share"), NotFound)
          yield* db.contentSchedules.lockCreation()
          if ((yield* db.contentSchedules.count()) >= maxSchedules)
            return yield* new QuotaExceeded({ limit: maxSchedules })
          yield* Effect.orDie(db.contentSchedules.insert(row))
        }),
      )
      yield* runs.set(projectId, row).pipe(
        Effect.mapError(() => new ScheduleNotCreated()),
        Effect.onError(() => takeBack(projectId, row.id)),
      )
      return showSchedule(row)
    }),

    /** The schedules with the names of their libraries, the oldest first (spec: admin plane, content). */
    list: (projectId: string, slice: Slice) =>
      Effect.map(
        tenants.read(projectId, (db) => db.contentSchedules.pageWithLibraries(slice)),
        ({ rows, total }) => ({
          rows: rows.map(({ library_name, ...row }) => ({ ...showSchedule(row), library_name })),
          total,
        }),
      ),

    /**
     * Changes the fields that are given; `config` is replaced as a whole [I1.5]. `NOT_FOUND`; `INVALID_SCHEDULE_CONFIG`;
     * `SCHEDULE_UPDATE_FAILED` without the queue, and then nothing has changed.
     */
    update: makeChangeSchedule(ports, runs),

    /**
     * Removes a schedule: its workflow first, then the row with its deliveries (spec: admin plane, content). `NOT_FOUND`;
     * `SCHEDULE_DELETE_FAILED` without the queue, and then both stay.
     */
    remove: Effect.fn("content.removeSchedule")(function* (projectId: string, id: string) {
      let hasEnded = false
      yield* runs.markPending(projectId)
      const removal = tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          yield* orFail(db.contentSchedules.lock(id), NotFound)
          yield* Effect.mapError(runs.end(projectId, id), () => new ScheduleDeleteFailed())
          hasEnded = true
          yield* db.contentSchedules.remove({ id })
        }),
      )
      const restore = Effect.suspend(() => (hasEnded ? runs.align(projectId, id) : Effect.void))
      yield* Effect.onError(runs.whileLocked(removal), () => restore)
    }),

    /** Delivers the next item now, also of a schedule that is off [I1.4]. `NOT_FOUND`; `NOTHING_TO_DELIVER` where there is none. */
    deliver: makeDeliver(ports).deliver,

    /**
     * The next `count` ticks (7 where left out) and what they would deliver as things are, also of a schedule that is off [I1.4]; no item
     * where it is drawn at random. `NOT_FOUND`.
     */
    preview: makePreviewSchedule(ports),

    /** What was delivered on this day in UTC and the user sees, the last delivered first [I1.3a, I6.3]. */
    today: Effect.fn("content.today")(function* (projectId: string, userId: string, slice: Slice) {
      const now = clock.now().getTime()
      const midnight = now - (now % dayMillis)
      const until = new Date(midnight + dayMillis)
      return yield* tenants.read(projectId, (db) =>
        db.contentDeliveries.pageBetween(new Date(midnight), until, userId, slice),
      )
    }),

    /**
     * The removal of a library without the workflows of its schedules, which go with it. Where the queue cannot be reached nothing is
     * removed; where the removal fails, the workflows are made again.
     */
    removeWithLibrary: <A, E>(remove: (projectId: string, libraryId: string) => Effect.Effect<A, E>) =>
      Effect.fnUntraced(function* (projectId: string, libraryId: string) {
        const rows = yield* tenants.read(projectId, (db) => db.contentSchedules.list({ library_id: libraryId }, []))
        if (rows.length === 0) return yield* remove(projectId, libraryId)
        yield* runs.markPending(projectId)
        const end = Effect.forEach(rows, ({ id }) => runs.end(projectId, id), { discard: true })
        const restore = Effect.forEach(rows, ({ id }) => runs.align(projectId, id), { discard: true })
        // What was ended before the queue went away is made again by the project's job.
        yield* Effect.mapError(end, () => new ScheduleDeleteFailed())
        const answer = yield* Effect.onError(remove(projectId, libraryId), () => restore)
        // A change of one of them may have made its workflow again meanwhile.
        yield* Effect.ignore(end)
        return answer
      }),
  }
}
