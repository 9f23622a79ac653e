import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { deepLinkConfigContract, linkDomainsContract, trackedLinksContract, trackedLinksTable } from "./contract.ts"

/** What every adapter promises about deep links. */
export const deepLinksSuites: FeatureSuites = {
  tenant: [trackedLinksTable, trackedLinksContract, deepLinkConfigContract],
  control: [linkDomainsContract],
}
