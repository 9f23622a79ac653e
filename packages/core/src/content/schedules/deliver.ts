import { Effect, Option } from "effect"
import { NotFound } from "../../failure.ts"
import { orFail } from "../../lookup.ts"
import type { Ports } from "../../ports/ports.ts"
import type { ContentDb } from "../port.ts"
import { readConfig } from "./config.ts"
import { NothingToDeliver } from "./failures.ts"
import { chooseDrawn, pickInOrder } from "./pick.ts"
import type { ContentSchedulesDb, Pickable } from "./port.ts"
import type { ContentScheduleRow, DeliveredNow } from "./schedule.ts"
import { findDueTick } from "./ticks.ts"

type Db = ContentDb & ContentSchedulesDb

/** What is picked: the item, and the round in which it was drawn. */
interface Picked {
  readonly item: Pickable
  readonly round: number
}

// An item may be removed between being picked and being locked.
const mostPicks = 10
// The fractions of a library at which an item is drawn: so many that each item is as likely as any other.
const fractions = 2 ** 40

/** Delivers what schedules pick. Each delivery is decided and written under the lock of its schedule [E11]. */
export const makeDeliver = ({ clock, ids, tenants }: Pick<Ports<Db>, "clock" | "ids" | "tenants">) => {
  const draw = Effect.fnUntraced(function* (db: Db, row: ContentScheduleRow, include_authored: boolean) {
    const { id: schedule_id, library_id, last_item_id, round } = row
    const from = { library_id, include_authored, schedule_id, round, last_item_id }
    return chooseDrawn(yield* db.contentDeliveries.draw(from, ids.integer(fractions) / fractions), round)
  })

  const pickNext = Effect.fnUntraced(function* (db: Db, row: ContentScheduleRow) {
    const { library_id, last_sort_order, last_item_id, round } = row
    const include_authored = readConfig(row).include_authored ?? false
    if (row.schedule_type === "random") return yield* draw(db, row, include_authored)
    const from = { library_id, include_authored }
    const last =
      last_sort_order === null || last_item_id === null ? null : { sort_order: last_sort_order, id: last_item_id }
    const after = last === null ? [] : yield* db.contentDeliveries.listPickable(from, last, 1)
    const first = after.length > 0 ? [] : yield* db.contentDeliveries.listPickable(from, null, 1)
    const [item] = pickInOrder(after, first, 1)
    return item === undefined ? null : { item, round }
  })

  /** Picks an item that stays there until the transaction ends; null where there is none. */
  const pick = Effect.fnUntraced(function* (db: Db, row: ContentScheduleRow) {
    for (let picks = 0; picks < mostPicks; picks += 1) {
      const picked = yield* pickNext(db, row)
      if (picked === null) return null
      const locked = yield* db.contentItems.lock(picked.item.id, "key share")
      if (Option.isSome(locked)) return picked satisfies Picked
    }
    return yield* Effect.die(new Error("Items are removed faster than they can be picked."))
  })

  /** Writes a delivery and moves the schedule on. The schedule is locked. */
  const write = Effect.fnUntraced(function* (
    db: Db,
    row: ContentScheduleRow,
    tick_at: Date | null,
    picked: Picked | null,
  ) {
    const delivered_at = clock.now()
    const tick = tick_at === null ? {} : { last_tick_at: tick_at }
    if (picked === null) {
      if (tick_at !== null) yield* Effect.orDie(db.contentSchedules.update(row.id, tick))
      return null
    }
    const { item, round } = picked
    const delivery = { id: ids.uuid(), schedule_id: row.id, item_id: item.id, tick_at, round, delivered_at }
    yield* Effect.orDie(db.contentDeliveries.insert(delivery))
    const moved = { ...tick, round, last_sort_order: item.sort_order, last_item_id: item.id }
    yield* Effect.orDie(db.contentSchedules.update(row.id, moved))
    return delivery
  })

  return {
    /**
     * Delivers the tick that is due, once however often and wherever this is called: the next caller finds it handled. Answers whether
     * the schedule is there.
     */
    deliverDue: Effect.fn("content.deliverDue")(function* (projectId: string, scheduleId: string) {
      const found = yield* tenants.read(projectId, (db) => db.contentSchedules.find({ id: scheduleId }))
      if (Option.isNone(found)) return false
      if (findDueTick(found.value, clock.now()) === null) return true
      return yield* tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const row = Option.getOrNull(yield* db.contentSchedules.lock(scheduleId))
          if (row === null) return false
          const tick = findDueTick(row, clock.now())
          if (tick === null) return true
          // By a worker whose clock was ahead.
          const early = yield* db.contentDeliveries.find({ schedule_id: row.id, tick_at: tick })
          yield* write(db, row, tick, Option.isSome(early) ? null : yield* pick(db, row))
          return true
        }),
      )
    }),

    /** Delivers the next item now, whether or not the schedule is active [I1.4]. */
    deliver: Effect.fn("content.deliver")((projectId: string, scheduleId: string) =>
      tenants.transact(
        projectId,
        Effect.fnUntraced(function* (db) {
          const row = yield* orFail(db.contentSchedules.lock(scheduleId), NotFound)
          const delivery = yield* write(db, row, null, yield* pick(db, row))
          if (delivery === null) return yield* new NothingToDeliver()
          const { schedule_id, item_id, delivered_at } = delivery
          return { schedule_id, item_id, delivered_at } satisfies DeliveredNow
        }),
      ),
    ),
  }
}
