import type { ContentDb, ContentSchedulesDb } from "@hearth/core/content"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import {
  contentItemsContract,
  contentItemsSectionContract,
  contentLibrariesContract,
  longItemsContract,
} from "./contract.ts"
import { itemShape, libraryShape, memoryItems, memoryLibraries } from "./memory.ts"
import { deliveryShape, memoryDeliveries, memorySchedules, scheduleShape } from "./memory-schedules.ts"
import {
  contentPicksContract,
  contentSchedulesContract,
  oldDeliveriesContract,
  todaysContentContract,
} from "./schedules.contract.ts"
import { contentDeliveries, contentItems, contentLibraries, contentSchedules } from "./tables.ts"

/** Content in tests: tables and repositories in memory, contract suites. */
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
    contracts: [
      (open) => tableContract(open, contentLibraries),
      (open) => tableContract(open, contentItems),
      (open) => tableContract(open, contentSchedules),
      (open) => tableContract(open, contentDeliveries),
      contentLibrariesContract,
      contentItemsContract,
      contentItemsSectionContract,
      longItemsContract,
      contentSchedulesContract,
      contentPicksContract,
      oldDeliveriesContract,
      todaysContentContract,
    ],
  },
}
