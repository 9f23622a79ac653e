import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { moderationContract } from "./contract.ts"
import { moderationReports, moderationRules, queueItems } from "./tables.ts"

/** What every adapter promises about moderation. */
export const moderationSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, moderationRules),
    (open) => tableContract(open, queueItems),
    (open) => tableContract(open, moderationReports),
    moderationContract,
  ],
}
