import type { TenantDb } from "@hearth/core"
import type { ContentDelivery, ContentItem, ContentLibrary, ContentScheduleRow } from "@hearth/core/content"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  instantsInOrder,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { aContentDelivery, aContentItem, aContentLibrary, aContentSchedule } from "./builders.ts"

/** The table of libraries. */
export const contentLibraries: TableCase<TenantDb, ContentLibrary> = {
  name: "content libraries",
  table: (db) => db.contentLibraries,
  row: (_, given) => Effect.sync(() => aContentLibrary(given)),
  samples: [
    { name: awkwardText, description: awkwardText, content_schema: awkwardJson, created_at: awkwardInstant },
    { description: null, content_schema: null },
  ],
  unique: [],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "description", ascending: textsInOrder },
}

/** Writes a library and answers its id. */
export const writeLibrary = (db: Pick<TenantDb, "contentLibraries">) => {
  const library = aContentLibrary()
  return Effect.as(Effect.orDie(db.contentLibraries.insert(library)), library.id)
}

/** The table of items. Their authors may be gone. */
export const contentItems: TableCase<TenantDb, ContentItem> = {
  name: "content items",
  table: (db) => db.contentItems,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aContentItem({ ...given, library_id: given.library_id ?? (yield* writeLibrary(db)) })
  }),
  samples: [
    {
      ...{ title: awkwardText, body: awkwardText, media_url: awkwardText, category: awkwardText },
      ...{ tags: [awkwardText, ""], metadata: awkwardJson, is_premium: true, is_active: false },
      ...{ sort_order: -1_000_000_000, moderation: "rejected", created_at: awkwardInstant, updated_at: lateInstant },
    },
    { title: null, media_url: null, category: null, tags: [], metadata: {}, sort_order: 1_000_000_000 },
  ],
  unique: [],
  sorting: { column: "sort_order", ascending: [-10, -9, 0, 9, 10] },
  nullable: { column: "category", ascending: textsInOrder },
}

/** Writes an item of a library and answers its id. */
const writeItem = (db: Pick<TenantDb, "contentItems">, library_id: string) => {
  const item = aContentItem({ library_id })
  return Effect.as(Effect.orDie(db.contentItems.insert(item)), item.id)
}

/** The table of schedules. */
export const contentSchedules: TableCase<TenantDb, ContentScheduleRow> = {
  name: "content schedules",
  table: (db) => db.contentSchedules,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aContentSchedule({ ...given, library_id: given.library_id ?? (yield* writeLibrary(db)) })
  }),
  samples: [
    {
      ...{ name: awkwardText, schedule_type: "random", config: awkwardJson, is_active: false },
      ...{ looks_from: awkwardInstant, last_tick_at: lateInstant, last_sort_order: -1_000_000_000 },
      ...{ last_item_id: anId(), round: 2_147_483_647, created_at: awkwardInstant, updated_at: lateInstant },
    },
    { schedule_type: "weekly", config: {}, last_sort_order: 1_000_000_000 },
    { schedule_type: "sequential" },
  ],
  unique: [["config_key"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
  nullable: { column: "last_tick_at", ascending: instantsInOrder },
}

/** The table of what schedules have delivered. */
export const contentDeliveries: TableCase<TenantDb, ContentDelivery> = {
  name: "content deliveries",
  table: (db) => db.contentDeliveries,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const library = yield* writeLibrary(db)
    const schedule = aContentSchedule({ library_id: library })
    if (given.schedule_id === undefined) yield* Effect.orDie(db.contentSchedules.insert(schedule))
    const { schedule_id = schedule.id, item_id = yield* writeItem(db, library) } = given
    // Not null, so that the key of schedule and tick counts.
    return aContentDelivery({ tick_at: new Date(0), ...given, schedule_id, item_id })
  }),
  samples: [
    { tick_at: awkwardInstant, round: 2_147_483_647, delivered_at: lateInstant },
    { tick_at: null, delivered_at: awkwardInstant },
  ],
  unique: [["schedule_id", "tick_at"]],
  sorting: { column: "delivered_at", ascending: instantsInOrder },
}
