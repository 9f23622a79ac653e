import type { PushDb } from "@hearth/core/push"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { pushAudiencesContract } from "./audiences.contract.ts"
import { pushCampaignsContract } from "./campaigns.contract.ts"
import { memoryPushCampaigns, memoryPushTokens, pushCampaignShape, pushTokenShape } from "./memory.ts"
import { memoryPushAudiences } from "./memory-audiences.ts"
import { pushTokensSectionContract } from "./sections.contract.ts"
import { pushCampaigns, pushTokens } from "./tables.ts"
import { pushTokensContract } from "./tokens.contract.ts"

/** Push in tests: tables and repositories in memory, contract suites. */
export const pushFeature: TenantFeature<PushDb> = {
  tenant: {
    shapes: [pushCampaignShape, pushTokenShape],
    sections: { push_tokens: pushTokenShape },
    make: ({ statements }) => ({
      pushAudiences: memoryPushAudiences(statements),
      pushCampaigns: memoryPushCampaigns(statements),
      pushTokens: memoryPushTokens(statements),
    }),
    contracts: [
      (open) => tableContract(open, pushCampaigns),
      (open) => tableContract(open, pushTokens),
      pushTokensSectionContract,
      pushCampaignsContract,
      pushTokensContract,
      pushAudiencesContract,
    ],
  },
}
