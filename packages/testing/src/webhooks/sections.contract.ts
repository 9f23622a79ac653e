import type { TenantDb } from "@hearth/core"
import { webhookInboxSection } from "@hearth/core/webhooks"
import { Effect } from "effect"
import { builtAt } from "../builders.ts"
import { awkwardJson, awkwardText } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { anInboxRow } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const [userId, other] = [yield* writeUser(db), yield* writeUser(db)]
  const done = { status: "processed", error: null, processed_at: new Date(builtAt) } as const
  const [first, second, notTheirs] = [
    anInboxRow({ ...done, payload: awkwardJson, event_type: awkwardText }),
    anInboxRow(done),
    anInboxRow(done),
  ]
  for (const row of [second, first, notTheirs]) yield* db.webhookInbox.take(row)
  yield* db.webhookInbox.finish(first.id, { ...done, waits_for: [], user_ids: [other, userId] })
  yield* db.webhookInbox.finish(second.id, { ...done, waits_for: [], user_ids: [userId] })
  yield* db.webhookInbox.finish(notTheirs.id, { ...done, waits_for: [], user_ids: [other] })
  return { userId, rows: [first, second] }
})

/** What a project promises about webhooks in the file about a user. */
export const webhookInboxSectionContract = sectionContract(webhookInboxSection, write)
