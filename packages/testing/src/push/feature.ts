import type { PushDb } from "@hearth/core/push"
import type { TenantFeature } from "../feature.ts"
import { memoryPushCampaigns, memoryPushTokens, pushCampaignShape, pushTokenShape } from "./memory.ts"
import { memoryPushAudiences } from "./memory-audiences.ts"
import { memoryPushDeliveries, pushDeliveryShape } from "./memory-deliveries.ts"
import { memoryPushStats, pushStatsShape } from "./memory-stats.ts"

/** Push in tests: tables and repositories in memory. */
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
  },
}
