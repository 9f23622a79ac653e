import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { pushAudiencesContract } from "./audiences.contract.ts"
import { pushCampaignsContract } from "./campaigns.contract.ts"
import { pushClaimsContract, pushReceiptsContract, pushResultsContract } from "./deliveries.contract.ts"
import { pushRecipientsContract } from "./recipients.contract.ts"
import { pushDeliveriesSectionContract, pushTokensSectionContract } from "./sections.contract.ts"
import { pushStatsContract } from "./stats.contract.ts"
import { pushCampaigns, pushDeliveries, pushTokens } from "./tables.ts"
import { pushTokensContract } from "./tokens.contract.ts"

/** What every adapter promises about push. */
export const pushSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, pushCampaigns),
    (open) => tableContract(open, pushTokens),
    (open) => tableContract(open, pushDeliveries),
    pushTokensSectionContract,
    pushDeliveriesSectionContract,
    pushRecipientsContract,
    pushClaimsContract,
    pushResultsContract,
    pushReceiptsContract,
    pushStatsContract,
    pushCampaignsContract,
    pushTokensContract,
    pushAudiencesContract,
  ],
}
