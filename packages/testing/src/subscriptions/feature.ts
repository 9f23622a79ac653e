import type { SubscriptionsDb } from "@hearth/core/subscriptions"
import type { TenantFeature } from "../feature.ts"
import { memorySubscriptionEvents, subscriptionEventShape } from "./memory.ts"

/** Subscriptions in tests: tables and repositories in memory. */
export const subscriptionsFeature: TenantFeature<SubscriptionsDb> = {
  tenant: {
    shapes: [subscriptionEventShape],
    make: ({ statements }) => ({ subscriptionEvents: memorySubscriptionEvents(statements) }),
  },
}
