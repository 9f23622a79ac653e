import type { WebhooksDb } from "@hearth/core/webhooks"
import type { TenantFeature } from "../feature.ts"
import { memoryInbox } from "./memory.ts"
import { inboxShape, inboxUserShape, inboxWaitShape } from "./memory-shapes.ts"

/** What there is in tests of webhooks. */
export const webhooksFeature: TenantFeature<WebhooksDb> = {
  tenant: {
    shapes: [inboxShape, inboxUserShape, inboxWaitShape],
    sections: { webhook_inbox: inboxShape, webhook_inbox_users: inboxUserShape },
    make: ({ statements, clock }) => ({ webhookInbox: memoryInbox(statements, clock) }),
  },
}
