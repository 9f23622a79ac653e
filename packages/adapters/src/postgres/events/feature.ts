import type { EventsDb } from "@hearth/core/events"
import type { TenantFeature } from "../feature.ts"
import { EngagementEvent } from "./entities.ts"
import { makeEvents } from "./events.ts"
import { eventPlanes, eventsOfUsersByName } from "./steps.ts"

/** Events in PostgreSQL: tables and repositories. */
export const eventsFeature: TenantFeature<EventsDb> = {
  tenant: {
    entities: [EngagementEvent],
    steps: [eventPlanes, eventsOfUsersByName],
    repositories: { events: (statements, _, clock) => makeEvents(statements, clock) },
  },
}
