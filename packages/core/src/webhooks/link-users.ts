import { Effect } from "effect"
import type { WebhooksDb } from "./port.ts"
import type { ProcessEntry } from "./processor.ts"
import { listProviderIds } from "./provider-ids.ts"
import { resolveUsers } from "./resolve-users.ts"

/** Notes whom an entry concerns, and does nothing else with it. */
export const linkUsers: ProcessEntry<WebhooksDb> = (db, entry) =>
  Effect.map(resolveUsers(db, listProviderIds(entry)), (found) => {
    const user_ids = [...new Set(found.values())]
    return user_ids.length === 0
      ? { status: "unresolved", error: "There is no user with any of its ids.", user_ids }
      : { status: "processed", error: null, user_ids }
  })
