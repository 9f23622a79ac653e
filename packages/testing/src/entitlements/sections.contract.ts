import type { TenantDb } from "@hearth/core"
import { userEntitlementsSection } from "@hearth/core/entitlements"
import { Effect } from "effect"
import { awkwardJson, awkwardText, earlyInstant, lateInstant } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { anEntitlement } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const mine = { app_user_id: userId }
  const rows = [
    anEntitlement({ ...mine, raw_data: awkwardJson, store: awkwardText, expiration_date: lateInstant }),
    anEntitlement(mine),
    anEntitlement({ ...mine, is_active: false, expiration_date: lateInstant }),
  ]
  const ended = anEntitlement({ ...mine, expiration_date: earlyInstant })
  yield* Effect.forEach([...rows, ended], db.entitlements.insert)
  return { userId, rows: [...rows, { ...ended, is_active: false }] }
})

/** What a project promises about the entitlements in the file about a user: those that have ended are inactive [E7]. */
export const userEntitlementsSectionContract = sectionContract(userEntitlementsSection, write)
