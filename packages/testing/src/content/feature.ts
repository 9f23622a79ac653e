import type { ContentDb, ContentSchedulesDb } from "@hearth/core/content"
import type { TenantFeature } from "../feature.ts"
import { itemShape, libraryShape, memoryItems, memoryLibraries } from "./memory.ts"
import { deliveryShape, memoryDeliveries, memorySchedules, scheduleShape } from "./memory-schedules.ts"

/** Content in tests: tables and repositories in memory. */
export const contentFeature: TenantFeature<ContentDb & ContentSchedulesDb> = {
  tenant: {
    shapes: [libraryShape, itemShape, scheduleShape, deliveryShape],
    sections: { content_items: itemShape },
    make: ({ statements }) => ({
      contentLibraries: memoryLibraries(statements),
      contentItems: memoryItems(statements),
      contentSchedules: memorySchedules(statements),
      contentDeliveries: memoryDeliveries(statements),
    }),
  },
}
