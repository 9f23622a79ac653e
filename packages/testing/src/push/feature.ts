import type { PushDb } from "@hearth/core/push"
import type { TenantFeature } from "../feature.ts"
import { any, fields, instant, keepList, limit, orNull, text, uuid } from "../memory/arguments.ts"
import { memoryPushCampaigns, memoryPushTokens, pushCampaignShape, pushTokenShape } from "./memory.ts"
import { memoryPushAudiences } from "./memory-audiences.ts"
import { memoryPushDeliveries, pushDeliveryShape } from "./memory-deliveries.ts"
import { memoryPushStats, pushStatsShape } from "./memory-stats.ts"

/** Push in tests: tables and repositories in memory. */
export const pushFeature: TenantFeature<PushDb> = {
  tenant: {
    shapes: [pushCampaignShape, pushTokenShape, pushDeliveryShape, pushStatsShape],
    sections: { push_tokens: pushTokenShape, push_deliveries: pushDeliveryShape },
    rules: {
      pushAudiences: {
        countZones: [fields({ segment_id: orNull(uuid) }), instant],
        sample: [fields({ segment_id: orNull(uuid) }), instant, keepList(orNull(text)), limit],
      },
      pushCampaigns: { findOpen: [instant, limit], nextScheduledAt: [instant], forgetSchedules: [instant, limit] },
      pushDeliveries: {
        claim: [
          uuid,
          fields({
            now: instant,
            limit,
            after: orNull(fields({ try_at: instant, id: uuid })),
            properties: keepList(text),
          }),
        ],
        finish: [
          keepList(fields({ id: uuid, app_user_id: uuid, error: orNull(text), try_at: orNull(instant) })),
          instant,
          instant,
        ],
        deactivate: [keepList(fields({ push_token_id: uuid, reason: text, since: instant })), instant],
        giveUp: [uuid, instant, limit],
        settle: [uuid, any, text, limit],
        waiting: [uuid],
        receive: [uuid, fields({ delivery_id: uuid }), instant],
        forget: [uuid, limit],
      },
      pushStats: {
        ofCampaigns: [keepList(uuid)],
        add: [uuid],
        end: [uuid, instant],
        listOpen: [limit],
        markForgotten: [uuid],
      },
      pushTokens: {
        lockForUser: [uuid, text],
        limitActive: [fields({ id: uuid, app_user_id: uuid }), limit, instant, text],
        deactivateAll: [uuid, instant, text],
        forget: [uuid, text],
        latestActive: [uuid],
      },
    },
    make: ({ statements, clock }) => ({
      pushAudiences: memoryPushAudiences(statements),
      pushCampaigns: memoryPushCampaigns(statements),
      pushDeliveries: memoryPushDeliveries(statements, clock),
      pushStats: memoryPushStats(statements),
      pushTokens: memoryPushTokens(statements),
    }),
  },
}
