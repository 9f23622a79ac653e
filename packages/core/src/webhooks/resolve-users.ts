import { Effect } from "effect"
import { isText } from "../schema.ts"
import type { WebhooksDb } from "./port.ts"

/**
 * The users of the app by the provider's ids of them: each id is looked up as `id`, then as `external_id`, then as
 * `anonymous_id`, all of them in one statement [H2.2]. Ids that are nobody's are missing.
 */
export const resolveUsers = (
  db: WebhooksDb,
  providerIds: ReadonlyArray<string>,
): Effect.Effect<ReadonlyMap<string, string>> => {
  const ids = [...new Set(providerIds)].filter((id) => isText(id, 1, 255))
  return ids.length === 0 ? Effect.succeed(new Map()) : db.webhookInbox.resolve(ids)
}
