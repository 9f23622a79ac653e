import { Effect } from "effect"
import { NotFound } from "../../failure.ts"
import { orFail } from "../../lookup.ts"
import type { Ports } from "../../ports/ports.ts"
import { listNextTicks } from "../../time/cron.ts"
import { readConfig } from "./config.ts"
import { pickInOrder } from "./pick.ts"
import type { ContentSchedulesDb, Pickable } from "./port.ts"
import type { ContentScheduleRow, UpcomingDelivery } from "./schedule.ts"

const listTicks = (row: ContentScheduleRow, after: Date, count: number): ReadonlyArray<Date> => {
  const ticks: Array<Date> = []
  for (const tick of listNextTicks(readConfig(row), after)) {
    if (ticks.push(tick) === count) break
  }
  return ticks
}

/** Shows the next ticks of a schedule and what they would deliver as things are, also of one that is switched off [I1.4]. */
export const makePreviewSchedule = ({ clock, tenants }: Pick<Ports<ContentSchedulesDb>, "clock" | "tenants">) => {
  const listItems = Effect.fnUntraced(function* (db: ContentSchedulesDb, row: ContentScheduleRow, count: number) {
    if (row.schedule_type === "random") return [] satisfies ReadonlyArray<Pickable>
    const { library_id, last_sort_order, last_item_id } = row
    const from = { library_id, include_authored: readConfig(row).include_authored ?? false }
    const last =
      last_sort_order === null || last_item_id === null ? null : { sort_order: last_sort_order, id: last_item_id }
    const after = last === null ? [] : yield* db.contentDeliveries.listPickable(from, last, count)
    const first = after.length === count ? [] : yield* db.contentDeliveries.listPickable(from, null, count)
    return pickInOrder(after, first, count)
  })

  return Effect.fn("content.previewSchedule")((projectId: string, id: string, count: number) =>
    tenants.read(
      projectId,
      Effect.fnUntraced(function* (db) {
        const row = yield* orFail(db.contentSchedules.find({ id }), NotFound)
        const items = yield* listItems(db, row, count)
        return listTicks(row, clock.now(), count).map((at, index): UpcomingDelivery => {
          const item = items[index]
          return { at, item_id: item?.id ?? null, title: item?.title ?? null }
        })
      }),
    ),
  )
}
