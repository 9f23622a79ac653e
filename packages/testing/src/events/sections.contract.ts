import type { TenantDb } from "@hearth/core"
import { engagementEventsSection } from "@hearth/core/events"
import { Effect } from "effect"
import { awkwardJson, earlyInstant } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { anEvent } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const mine = { app_user_id: userId }
  const rows = [anEvent({ ...mine, occurred_at: earlyInstant, properties: awkwardJson }), anEvent(mine), anEvent(mine)]
  yield* db.events.insert(rows.toReversed(), { enqueue: false })
  return { userId, rows }
})

/** What a project promises about the events in the file about a user. */
export const engagementEventsSectionContract = sectionContract(engagementEventsSection, write)
