import type { ContentDb, ContentSchedulesDb } from "@hearth/core/content"
import type { TenantFeature } from "../feature.ts"
import { fields, instant, limit, orNull, slice, text, uuid } from "../memory/arguments.ts"
import { itemShape, libraryShape, memoryItems, memoryLibraries } from "./memory.ts"
import { deliveryShape, memoryDeliveries, memorySchedules, scheduleShape } from "./memory-schedules.ts"

/** Content in tests: tables and repositories in memory. */
export const contentFeature: TenantFeature<ContentDb & ContentSchedulesDb> = {
  tenant: {
    shapes: [libraryShape, itemShape, scheduleShape, deliveryShape],
    sections: { content_items: itemShape },
    rules: {
      contentLibraries: { pageWithCounts: [slice] },
      contentItems: {
        pageOfLibrary: [uuid, fields({ reader: orNull(uuid), category: orNull(text) }), slice],
        countOwned: [uuid],
        newestOfUsers: [limit],
        release: [uuid, limit],
        removeSome: [uuid, limit],
      },
      contentSchedules: { pageWithLibraries: [slice], lockOfLibrary: [uuid] },
      contentDeliveries: {
        listPickable: [fields({ library_id: uuid }), orNull(fields({ id: uuid })), limit],
        draw: [fields({ library_id: uuid, schedule_id: uuid, last_item_id: orNull(uuid) })],
        removeOld: [instant, limit],
        pageBetween: [instant, instant, uuid, slice],
      },
    },
    make: ({ statements }) => ({
      contentLibraries: memoryLibraries(statements),
      contentItems: memoryItems(statements),
      contentSchedules: memorySchedules(statements),
      contentDeliveries: memoryDeliveries(statements),
    }),
  },
}
