import type { TenantDb } from "@hearth/core"
import { pushTokensSection } from "@hearth/core/push"
import { Effect } from "effect"
import { awkwardText } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aPushToken } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const mine = { app_user_id: userId }
  const rows = [aPushToken({ ...mine, token: `${awkwardText} ${userId}` }), aPushToken({ ...mine, is_active: false })]
  yield* Effect.forEach(rows, db.pushTokens.insert)
  return { userId, rows }
})

/** What a project promises about the devices in the file about a user. */
export const pushTokensSectionContract = sectionContract(pushTokensSection, write)
