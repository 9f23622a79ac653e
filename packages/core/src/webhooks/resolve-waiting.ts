import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { OutboxHandler } from "../background/work.ts"
import type { WebhooksDb } from "./port.ts"

/** The topic of the outbox that looks up again who waits for a user. The payload is `{ provider_user_id, after }`. */
export const resolveTopic = "webhooks.resolve"

// Each of them becomes an entry of the outbox, so that one that fails is set aside alone.
const piece = 1_000

/**
 * Has the unresolved webhooks that name this id of a user looked up again [H2.2], for the transaction that gives a user the
 * id. They are found later, under the hold: one that is processed at this moment and does not see the id yet waits by then.
 */
export const lookUpAgain = (db: BackgroundDb, providerId: string): Effect.Effect<void> =>
  db.outbox.add(resolveTopic, { provider_user_id: providerId, after: null })

/** The handler of `webhooks.resolve`: enters up to 1,000 of them to be processed. */
export const resolveHandler: OutboxHandler<WebhooksDb> = (db, { provider_user_id, after }) =>
  Effect.map(
    db.webhookInbox.enqueueWaiting(String(provider_user_id), typeof after === "string" ? after : null, piece),
    (last) => (last === null ? null : { provider_user_id: String(provider_user_id), after: last }),
  )
