import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { OutboxHandler } from "../background/work.ts"
import type { WebhooksDb } from "./port.ts"

/** The topic of the outbox that takes a removed user out of webhooks. The payload is `{ app_user_id }`. */
export const forgetTopic = "webhooks.forget-user"

// A statement of so many entries takes less than a second, also where they are large.
const piece = 1_000

/**
 * Takes a user out of webhooks, and removes those that concern nobody else [H2.3]: up to 1,000 with the user, the rest in the
 * background, in pieces as large. For the transaction that removes the user, who is locked.
 */
export const forgetInWebhooks = Effect.fnUntraced(function* (db: BackgroundDb & WebhooksDb, userId: string) {
  const isMore = yield* db.webhookInbox.forgetUser(userId, piece)
  if (isMore) yield* db.outbox.add(forgetTopic, { app_user_id: userId })
})

/** The handler of `webhooks.forget-user`: one piece. */
export const forgetHandler: OutboxHandler<WebhooksDb> = (db, payload) =>
  Effect.map(db.webhookInbox.forgetUser(String(payload["app_user_id"]), piece), (isMore) => (isMore ? payload : null))
