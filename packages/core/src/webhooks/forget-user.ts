import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { OutboxHandler } from "../background/work.ts"
import type { UserRow } from "../users/user.ts"
import type { WebhooksDb } from "./port.ts"

/** The topic of the outbox that takes a removed user out of webhooks. The payload is `{ app_user_id, provider_ids }`. */
export const forgetTopic = "webhooks.forget-user"

// A statement of so many entries takes less than a second, also where they are large.
const piece = 1_000

/**
 * Takes a user out of webhooks, and removes those that concern nobody else [H2.3]: up to 1,000 with the user, the rest in the
 * background, in pieces as large. There those come, too, that had come in and were not processed yet: by then they are, before the
 * entry of the outbox that this adds. For the transaction that removes the user, who is locked.
 */
export const forgetInWebhooks = Effect.fnUntraced(function* (
  db: BackgroundDb & WebhooksDb,
  { id, external_id, anonymous_id }: Pick<UserRow, "id" | "external_id" | "anonymous_id">,
) {
  yield* db.webhookInbox.forgetUser(id, piece)
  const provider_ids = [id, external_id, anonymous_id].filter((each) => each !== null)
  yield* db.outbox.add(forgetTopic, { app_user_id: id, provider_ids })
})

const readIds = (ids: unknown): ReadonlyArray<string> => (Array.isArray(ids) ? ids.map(String) : [])

/** The handler of `webhooks.forget-user`: one piece. */
export const forgetHandler: OutboxHandler<WebhooksDb> = Effect.fnUntraced(function* (db, payload) {
  const isMore = yield* db.webhookInbox.forgetUser(String(payload["app_user_id"]), piece)
  // An earlier release names none.
  const ids = readIds(payload["provider_ids"])
  const isMoreWaiting = ids.length > 0 && (yield* db.webhookInbox.forgetWaiting(ids, piece))
  return isMore || isMoreWaiting ? payload : null
})
