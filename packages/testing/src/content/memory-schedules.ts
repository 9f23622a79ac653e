import {
  type ContentDeliveries,
  ContentDelivery,
  ContentScheduleRow,
  type ContentSchedules,
  isVisible,
  type PickFrom,
} from "@hearth/core/content"
import type { Draft, Statements } from "../memory/database.ts"
import { canLockRow, lockRows, removeRow, rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, pageOf, select, sorted } from "../memory/table.ts"
import { itemShape, libraryShape } from "./memory.ts"

/** The table of schedules. */
export const scheduleShape = describeTable("content schedules", ContentScheduleRow, {
  unique: [["config_key"]],
  parents: { library_id: libraryShape.name },
})

/** The table of what schedules have delivered. */
export const deliveryShape = describeTable("content deliveries", ContentDelivery, {
  unique: [["schedule_id", "tick_at"]],
  parents: { schedule_id: scheduleShape.name, item_id: itemShape.name },
})

/** Schedules in memory. */
export const memorySchedules = (statements: Statements): ContentSchedules => ({
  ...memoryTable(statements, scheduleShape),
  count: () => statements.query((draft) => select(draft, scheduleShape, {}).length),
  lockCreation: () => statements.change((draft) => draft.lock("creation of content schedules", "update")),
  lockOfLibrary: (library_id) =>
    statements.query((draft) =>
      lockRows(draft, scheduleShape, sorted(scheduleShape, select(draft, scheduleShape, { library_id }), [])),
    ),
  pageWithLibraries: (slice) =>
    statements.query((draft) => {
      const schedules = sorted(scheduleShape, select(draft, scheduleShape, {}), [["created_at", "asc"]])
      const { rows, total } = pageOf(schedules, slice)
      const nameLibrary = (id: string) => rowsOf(draft, libraryShape).get(id)?.name ?? ""
      return { rows: rows.map((row) => ({ ...row, library_name: nameLibrary(row.library_id) })), total }
    }),
})

const listPickable = (draft: Draft, { library_id, include_authored }: PickFrom) =>
  sorted(
    itemShape,
    select(draft, itemShape, { library_id, is_active: true, moderation: "shown" }).filter(
      ({ owner_app_user_id }) => include_authored || owner_app_user_id === null,
    ),
    [["sort_order", "asc"]],
  ).map(({ id, sort_order, title }) => ({ id, sort_order, title }))

/** What no round needs any more, the oldest first. */
const listPassed = (draft: Draft) => {
  const all = sorted(deliveryShape, select(draft, deliveryShape, {}), [["delivered_at", "asc"]])
  return all.filter(({ schedule_id, round }) => {
    const schedule = rowsOf(draft, scheduleShape).get(schedule_id)
    return schedule !== undefined && (schedule.schedule_type !== "random" || schedule.round !== round)
  })
}

/** What schedules have delivered, in memory. */
export const memoryDeliveries = (statements: Statements): ContentDeliveries => {
  const listUnseen = (draft: Draft, from: PickFrom, schedule_id: string, round: number) => {
    const seen = new Set(select(draft, deliveryShape, { schedule_id, round }).map(({ item_id }) => item_id))
    return listPickable(draft, from).filter(({ id }) => !seen.has(id))
  }
  return {
    ...memoryTable(statements, deliveryShape),
    listPickable: (from, after, limit) =>
      statements.query((draft) => {
        const isAfter = ({ id, sort_order }: { readonly id: string; readonly sort_order: number }) =>
          after === null || sort_order > after.sort_order || (sort_order === after.sort_order && id > after.id)
        return listPickable(draft, from).filter(isAfter).slice(0, limit)
      }),
    draw: ({ schedule_id, round, last_item_id, ...from }, fraction) =>
      statements.query((draft) => {
        const all = listPickable(draft, from)
        const pick = (items: typeof all) => items[Math.floor(fraction * items.length)] ?? null
        return {
          unseen: pick(listUnseen(draft, from, schedule_id, round)),
          other: pick(all.filter(({ id }) => id !== last_item_id)),
          last: pick(all.filter(({ id }) => id === last_item_id)),
        }
      }),
    removeOld: (before, limit) =>
      statements.change((draft) => {
        const old = listPassed(draft).filter(({ delivered_at }) => delivered_at < before)
        const free = old.filter(({ id }) => canLockRow(draft, deliveryShape, id, "update")).slice(0, limit)
        for (const row of free) removeRow(draft, deliveryShape, row)
        return free.length
      }),
    oldest: () => statements.query((draft) => listPassed(draft)[0]?.delivered_at ?? null),
    pageBetween: (from, until, reader, slice) =>
      statements.query((draft) => {
        const deliveries = select(draft, deliveryShape, {}).filter(
          ({ delivered_at }) => delivered_at >= from && delivered_at < until,
        )
        const latest = sorted(deliveryShape, deliveries, [
          ["delivered_at", "desc"],
          ["id", "desc"],
        ])
        const shown = latest.flatMap(({ schedule_id, item_id, delivered_at }) => {
          const schedule = rowsOf(draft, scheduleShape).get(schedule_id)
          const item = rowsOf(draft, itemShape).get(item_id)
          if (schedule === undefined || item === undefined || !isVisible(item, reader)) return []
          const { name: schedule_name, schedule_type } = schedule
          return [{ schedule_name, schedule_type, delivered_at, ...item }]
        })
        return pageOf(shown, slice)
      }),
  }
}
