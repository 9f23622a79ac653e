import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { eventIdsContract } from "./event-ids.contract.ts"
import { eventsContract } from "./events.contract.ts"
import { eventsReadingContract } from "./read-events.contract.ts"
import { engagementEventsSectionContract } from "./sections.contract.ts"
import { singleEventsContract } from "./single-events.contract.ts"

/** What every adapter promises about events. */
export const eventsSuites: FeatureSuites = {
  tenant: [
    eventsContract,
    eventIdsContract,
    singleEventsContract,
    eventsReadingContract,
    engagementEventsSectionContract,
  ],
}
