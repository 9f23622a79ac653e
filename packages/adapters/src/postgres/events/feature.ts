import type { EventsDb } from "@hearth/core/events"
import type { TenantFeature } from "../feature.ts"
import { EngagementEvent } from "./entities.ts"
import { makeEvents } from "./events.ts"

/** What there is of events in PostgreSQL. */
export const eventsFeature: TenantFeature<EventsDb> = {
  tenant: {
    entities: [EngagementEvent],
    repositories: { events: (statements, _, clock) => makeEvents(statements, clock) },
  },
}
