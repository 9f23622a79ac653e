import type { TrackingSessionsDb } from "@hearth/core/tracking-sessions"
import type { TenantFeature } from "../feature.ts"
import { instant, limit, text, uuid } from "../memory/arguments.ts"
import { memoryTrackingSessions, trackingSessionShape } from "./memory.ts"

/** Tracking sessions in tests: table and repository in memory. */
export const trackingSessionsFeature: TenantFeature<TrackingSessionsDb> = {
  tenant: {
    shapes: [trackingSessionShape],
    sections: { tracking_sessions: trackingSessionShape },
    rules: {
      trackingSessions: { lockOf: [uuid, text], lockDue: [instant, limit] },
    },
    make: ({ statements }) => ({ trackingSessions: memoryTrackingSessions(statements) }),
  },
}
