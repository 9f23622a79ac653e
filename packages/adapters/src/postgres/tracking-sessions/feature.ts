import type { TrackingSessionsDb } from "@hearth/core/tracking-sessions"
import type { TenantFeature } from "../feature.ts"
import { TrackingSession, trackingSessions } from "./entities.ts"
import { makeTrackingSessions } from "./tracking-sessions.ts"

/** Tracking sessions in PostgreSQL: table and repository. */
export const trackingSessionsFeature: TenantFeature<TrackingSessionsDb> = {
  tenant: {
    entities: [TrackingSession],
    steps: [trackingSessions],
    repositories: {
      trackingSessions: (statements, shapes) => makeTrackingSessions(statements, shapes(TrackingSession)),
    },
  },
}
