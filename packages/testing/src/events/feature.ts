import type { EventsDb } from "@hearth/core/events"
import type { TenantFeature } from "../feature.ts"
import { instant, keepList, limit, slice, text, uuid } from "../memory/arguments.ts"
import { eventShape, memoryEvents } from "./memory.ts"

/** Events in tests: tables and repositories in memory. */
export const eventsFeature: TenantFeature<EventsDb> = {
  tenant: {
    shapes: [eventShape],
    sections: { engagement_events: eventShape },
    rules: {
      events: {
        listByIds: [keepList(uuid)],
        listAt: [uuid, keepList(instant), text, limit],
        pageOfUser: [uuid, slice],
        removeSome: [uuid, limit],
      },
    },
    make: ({ statements, clock }) => ({ events: memoryEvents(statements, clock) }),
  },
}
