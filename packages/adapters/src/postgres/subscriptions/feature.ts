import type { SubscriptionsDb } from "@hearth/core/subscriptions"
import type { TenantFeature } from "../feature.ts"
import { SubscriptionEvent, SubscriptionEventKey, subscriptionEvents } from "./entities.ts"
import { makeSubscriptionEvents } from "./subscription-events.ts"

/** What there is of subscriptions in PostgreSQL. */
export const subscriptionsFeature: TenantFeature<SubscriptionsDb> = {
  tenant: {
    entities: [SubscriptionEvent, SubscriptionEventKey],
    steps: [subscriptionEvents],
    repositories: { subscriptionEvents: makeSubscriptionEvents },
  },
}
