import type { SubscriptionsDb } from "@hearth/core/subscriptions"
import type { TenantFeature } from "../feature.ts"
import { fields, keepList, limit, text, uuid } from "../memory/arguments.ts"
import { memorySubscriptionEvents, subscriptionEventShape } from "./memory.ts"

/** Subscriptions in tests: tables and repositories in memory. */
export const subscriptionsFeature: TenantFeature<SubscriptionsDb> = {
  tenant: {
    shapes: [subscriptionEventShape],
    rules: {
      subscriptionEvents: {
        find: [uuid],
        connected: [keepList(text), keepList(uuid), limit],
        listRaw: [keepList(uuid)],
        share: [keepList(fields({ inbox_id: uuid, app_user_id: uuid }))],
      },
    },
    make: ({ statements }) => ({ subscriptionEvents: memorySubscriptionEvents(statements) }),
  },
}
