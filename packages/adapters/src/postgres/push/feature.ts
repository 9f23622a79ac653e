import type { PushDb } from "@hearth/core/push"
import type { TenantFeature } from "../feature.ts"
import { User } from "../users/entities.ts"
import { makePushAudiences } from "./audiences.ts"
import { makePushCampaigns } from "./campaigns.ts"
import { makePushDeliveries } from "./deliveries.ts"
import {
  PushCampaignStats,
  PushDelivery,
  pushDeliveries,
  pushDeliveriesDue,
  pushDeliveriesInOrder,
  pushDeliveriesInPlace,
} from "./delivery-entities.ts"
import { PushCampaign, PushToken, pushCampaigns } from "./entities.ts"
import { makePushStats } from "./stats.ts"
import { makePushTokens } from "./tokens.ts"

/** Push in PostgreSQL: tables and repositories. */
export const pushFeature: TenantFeature<PushDb> = {
  tenant: {
    entities: [PushCampaign, PushToken, PushDelivery, PushCampaignStats],
    steps: [pushCampaigns, pushDeliveries, pushDeliveriesInPlace, pushDeliveriesDue, pushDeliveriesInOrder],
    repositories: {
      pushAudiences: (statements, shapes) => makePushAudiences(statements, shapes(User)),
      pushCampaigns: (statements, shapes) => makePushCampaigns(statements, shapes(PushCampaign)),
      pushDeliveries: (statements, shapes, clock) => makePushDeliveries(statements, shapes(PushDelivery), clock),
      pushStats: makePushStats,
      pushTokens: (statements, shapes) => makePushTokens(statements, shapes(PushToken)),
    },
  },
}
