import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import {
  contentItemsContract,
  contentItemsSectionContract,
  contentLibrariesContract,
  longItemsContract,
} from "./contract.ts"
import {
  contentPicksContract,
  contentSchedulesContract,
  oldDeliveriesContract,
  todaysContentContract,
} from "./schedules.contract.ts"
import { contentDeliveries, contentItems, contentLibraries, contentSchedules } from "./tables.ts"

/** What every adapter promises about content. */
export const contentSuites: FeatureSuites = {
  tenant: [
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
}
