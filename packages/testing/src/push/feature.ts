import type { PushDb } from "@hearth/core/push"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { pushAudiencesContract } from "./audiences.contract.ts"
import { pushCampaignsContract } from "./campaigns.contract.ts"
import { pushClaimsContract, pushReceiptsContract, pushResultsContract } from "./deliveries.contract.ts"
import { memoryPushCampaigns, memoryPushTokens, pushCampaignShape, pushTokenShape } from "./memory.ts"
import { memoryPushAudiences } from "./memory-audiences.ts"
import { memoryPushDeliveries, pushDeliveryShape } from "./memory-deliveries.ts"
import { memoryPushStats, pushStatsShape } from "./memory-stats.ts"
import { pushRecipientsContract } from "./recipients.contract.ts"
import { pushDeliveriesSectionContract, pushTokensSectionContract } from "./sections.contract.ts"
import { pushStatsContract } from "./stats.contract.ts"
import { pushCampaigns, pushDeliveries, pushTokens } from "./tables.ts"
import { pushTokensContract } from "./tokens.contract.ts"

/** Push in tests: tables and repositories in memory, contract suites. */
export const pushFeature: TenantFeature<PushDb> = {
  tenant: {
    shapes: [pushCampaignShape, pushTokenShape, pushDeliveryShape, pushStatsShape],
    sections: { push_tokens: pushTokenShape, push_deliveries: pushDeliveryShape },
    make: ({ statements }) => ({
      pushAudiences: memoryPushAudiences(statements),
      pushCampaigns: memoryPushCampaigns(statements),
      pushDeliveries: memoryPushDeliveries(statements),
      pushStats: memoryPushStats(statements),
      pushTokens: memoryPushTokens(statements),
    }),
    contracts: [
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
  },
}
