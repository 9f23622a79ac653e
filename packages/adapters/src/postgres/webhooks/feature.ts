import type { WebhooksDb } from "@hearth/core/webhooks"
import type { TenantFeature } from "../feature.ts"
import { InboxEntry, InboxUser, InboxWait, webhookInbox } from "./entities.ts"
import { makeInbox } from "./inbox.ts"

/** What there is of webhooks in PostgreSQL. */
export const webhooksFeature: TenantFeature<WebhooksDb> = {
  tenant: {
    entities: [InboxEntry, InboxUser, InboxWait],
    steps: [webhookInbox],
    repositories: { webhookInbox: (statements, shapes, clock) => makeInbox(statements, shapes(InboxEntry), clock) },
  },
}
