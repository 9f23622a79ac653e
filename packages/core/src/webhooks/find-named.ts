import { Effect } from "effect"
import type { InboxEntry } from "./inbox-entry.ts"
import type { WebhooksDb } from "./port.ts"
import { listProviderIds } from "./provider-ids.ts"
import { resolveUsers } from "./resolve-users.ts"

/**
 * The users whom an entry names that changes nothing of theirs, in the order of its ids: it goes with them all the same [H2.3].
 * Who was found once stays.
 */
export const findNamed = Effect.fnUntraced(function* (
  db: WebhooksDb,
  entry: Pick<InboxEntry, "id" | "provider" | "payload" | "app_user_id">,
) {
  if (entry.app_user_id !== null) return (yield* db.webhookInbox.usersOf([entry.id])).get(entry.id) ?? []
  const ids = listProviderIds(entry)
  const known = yield* resolveUsers(db, ids)
  return [...new Set(ids.flatMap((id) => known.get(id) ?? []))]
})

/** Notes whom a new entry names that is not processed. For the transaction that takes it in. */
export const noteNamed = Effect.fnUntraced(function* (
  db: WebhooksDb,
  entry: Pick<InboxEntry, "id" | "provider" | "payload" | "error" | "received_at">,
) {
  const user_ids = yield* findNamed(db, { ...entry, app_user_id: null })
  if (user_ids.length === 0) return
  const { id, error, received_at } = entry
  yield* db.webhookInbox.finish(id, { status: "ignored", error, processed_at: received_at, user_ids, waits_for: [] })
})
