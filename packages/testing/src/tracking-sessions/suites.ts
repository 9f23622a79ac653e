import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { trackingSessionsContract, trackingSessionsSectionContract } from "./contract.ts"
import { trackingSessions } from "./tables.ts"

/** What every adapter promises about tracking sessions. */
export const trackingSessionsSuites: FeatureSuites = {
  tenant: [(open) => tableContract(open, trackingSessions), trackingSessionsContract, trackingSessionsSectionContract],
}
