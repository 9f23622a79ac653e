import type { WebhooksDb } from "@hearth/core/webhooks"
import type { TenantFeature } from "../feature.ts"
import { fields, instant, keepList, limit, orNull, place, slice, text, uuid } from "../memory/arguments.ts"
import { memoryInbox } from "./memory.ts"
import { inboxShape, inboxUserShape, inboxWaitShape } from "./memory-shapes.ts"

/** What there is in tests of webhooks. */
export const webhooksFeature: TenantFeature<WebhooksDb> = {
  tenant: {
    shapes: [inboxShape, inboxUserShape, inboxWaitShape],
    sections: { webhook_inbox: inboxShape, webhook_inbox_users: inboxUserShape },
    rules: {
      webhookInbox: {
        find: [uuid],
        page: [fields({ user_id: orNull(uuid) }), slice],
        listAfter: [fields({ user_id: orNull(uuid) }), place, slice],
        keepNewestWithoutId: [text, limit],
        finish: [
          uuid,
          fields({ error: orNull(text), processed_at: instant, user_ids: keepList(uuid), waits_for: keepList(text) }),
        ],
        fail: [uuid, text, instant],
        usersOf: [keepList(uuid)],
        resolve: [keepList(text)],
        enqueueWaiting: [text, orNull(uuid), limit],
        forgetUser: [uuid, limit],
        forgetWaiting: [keepList(text), limit],
        removeOld: [instant, limit],
      },
    },
    make: ({ statements, clock }) => ({ webhookInbox: memoryInbox(statements, clock) }),
  },
}
