import type { TenantDb } from "@hearth/core"
import { accountLinksSection } from "@hearth/core/auth"
import { Effect } from "effect"
import { awkwardText } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { anAccountLink } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const mine = { app_user_id: userId }
  const rows = [anAccountLink({ ...mine, provider_id: `${awkwardText} ${userId}` }), anAccountLink(mine)]
  yield* Effect.forEach(rows, db.accountLinks.insert)
  return { userId, rows }
})

/** What a project promises about the identities in the file about a user. */
export const accountLinksSectionContract = sectionContract(accountLinksSection, write)
