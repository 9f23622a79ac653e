import type { EventsDb } from "@hearth/core/events"
import type { TenantFeature } from "../feature.ts"
import { eventShape, memoryEvents } from "./memory.ts"

/** Events in tests: tables and repositories in memory. */
export const eventsFeature: TenantFeature<EventsDb> = {
  tenant: {
    shapes: [eventShape],
    sections: { engagement_events: eventShape },
    make: ({ statements, clock }) => ({ events: memoryEvents(statements, clock) }),
  },
}
