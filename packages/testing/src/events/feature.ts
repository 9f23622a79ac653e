import type { EventsDb } from "@hearth/core/events"
import type { TenantFeature } from "../feature.ts"
import { eventIdsContract } from "./event-ids.contract.ts"
import { eventsContract } from "./events.contract.ts"
import { eventShape, memoryEvents } from "./memory.ts"
import { eventsReadingContract } from "./read-events.contract.ts"
import { engagementEventsSectionContract } from "./sections.contract.ts"
import { singleEventsContract } from "./single-events.contract.ts"

/** Events in tests: tables and repositories in memory, contract suites. */
export const eventsFeature: TenantFeature<EventsDb> = {
  tenant: {
    shapes: [eventShape],
    sections: { engagement_events: eventShape },
    make: ({ statements, clock }) => ({ events: memoryEvents(statements, clock) }),
    contracts: [
      eventsContract,
      eventIdsContract,
      singleEventsContract,
      eventsReadingContract,
      engagementEventsSectionContract,
    ],
  },
}
