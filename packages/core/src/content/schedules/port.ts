import type { Effect } from "effect"
import type { Page, Slice, Table } from "../../ports/table.ts"
import type { Sweepable } from "../../retention/sweep.ts"
import type { ContentItem } from "../item.ts"
import type { Drawn, Place } from "./pick.ts"
import type { ContentDelivery, ContentScheduleRow, TodaysItem } from "./schedule.ts"

/** The schedules of a project. Unique: `config_key`. Gone with their library. */
export interface ContentSchedules extends Table<ContentScheduleRow> {
  /** A slice of the schedules with the names of their libraries, the oldest first. */
  pageWithLibraries(slice: Slice): Effect.Effect<Page<ContentScheduleRow & { readonly library_name: string }>>
  /** The schedules of a library, locked by id until the transaction ends, so that none of them delivers meanwhile. */
  lockOfLibrary(libraryId: string): Effect.Effect<ReadonlyArray<ContentScheduleRow>>
  count(): Effect.Effect<number>
  /** Keeps others from making a schedule until the transaction ends, so that they are counted one after the other [I0.2]. */
  lockCreation(): Effect.Effect<void>
}

/** What a schedule picks from: the active and shown items of its library, those of users only where it says so [I1.3]. */
export interface PickFrom {
  readonly library_id: string
  readonly include_authored: boolean
}

/** For which schedule an item is drawn. */
export interface DrawFrom extends PickFrom {
  readonly schedule_id: string
  readonly round: number
  /** The item that was shown last; null where none was. */
  readonly last_item_id: string | null
}

/** An item that can be picked. */
export type Pickable = Pick<ContentItem, "id" | "sort_order" | "title">

/**
 * What schedules have delivered. Unique: `schedule_id` and `tick_at`. Gone with the schedule and with the item. Swept is not what a
 * `random` schedule has shown in its round: that must not be drawn again.
 */
export interface ContentDeliveries extends Table<ContentDelivery>, Sweepable {
  /** The items after a place, or from the beginning where it is null, by (`sort_order`, `id`). */
  listPickable(from: PickFrom, after: Place | null, limit: number): Effect.Effect<ReadonlyArray<Pickable>>
  /**
   * What may be drawn. Of several items it is the one at `fraction` of them, by (`sort_order`, `id`): 0 is the first, and less than 1
   * the last.
   */
  draw(from: DrawFrom, fraction: number): Effect.Effect<Drawn<Pickable>>
  /** A slice of what was delivered in [`from`, `until`) and this user sees, the last delivered first [I1.3a, I6.3]. */
  pageBetween(from: Date, until: Date, reader: string, slice: Slice): Effect.Effect<Page<TodaysItem>>
}

/** What a project's database has for schedules. */
export interface ContentSchedulesDb {
  readonly contentSchedules: ContentSchedules
  readonly contentDeliveries: ContentDeliveries
}
