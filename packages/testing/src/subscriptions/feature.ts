import type { SubscriptionsDb } from "@hearth/core/subscriptions"
import type { TenantFeature } from "../feature.ts"
import { subscriptionEventsContract } from "./contract.ts"
import { memorySubscriptionEvents, subscriptionEventShape } from "./memory.ts"
import { subscriptionStoriesContract } from "./stories.contract.ts"

/** Subscriptions in tests: tables and repositories in memory, contract suites. */
export const subscriptionsFeature: TenantFeature<SubscriptionsDb> = {
  tenant: {
    shapes: [subscriptionEventShape],
    make: ({ statements }) => ({ subscriptionEvents: memorySubscriptionEvents(statements) }),
    contracts: [subscriptionEventsContract, subscriptionStoriesContract],
  },
}
