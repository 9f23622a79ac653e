import type { TrackingSessionsDb } from "@hearth/core/tracking-sessions"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { trackingSessionsContract, trackingSessionsSectionContract } from "./contract.ts"
import { memoryTrackingSessions, trackingSessionShape } from "./memory.ts"
import { trackingSessions } from "./tables.ts"

/** Tracking sessions in tests: table and repository in memory, contract suites. */
export const trackingSessionsFeature: TenantFeature<TrackingSessionsDb> = {
  tenant: {
    shapes: [trackingSessionShape],
    sections: { tracking_sessions: trackingSessionShape },
    make: ({ statements }) => ({ trackingSessions: memoryTrackingSessions(statements) }),
    contracts: [
      (open) => tableContract(open, trackingSessions),
      trackingSessionsContract,
      trackingSessionsSectionContract,
    ],
  },
}
