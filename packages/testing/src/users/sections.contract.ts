import type { TenantDb } from "@hearth/core"
import { appUsersSection } from "@hearth/core/users"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import { awkwardInstant, awkwardJson, awkwardText, earlyInstant, lateInstant } from "../contracts/awkward-values.ts"
import { sectionContract } from "../exports/sections.contract.ts"
import { aUser } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const user = aUser({
    email: `${awkwardText} ${anId()}`,
    display_name: "=1",
    external_id: `" ${anId()}`,
    avatar_url: null,
    password_hash: "secret-hash",
    properties: awkwardJson,
    auth_providers: [{ provider: "idp_a", provider_id: awkwardText }],
    email_verified_at: lateInstant,
    is_disabled: true,
    first_seen_at: earlyInstant,
    last_seen_at: lateInstant,
    created_at: awkwardInstant,
  })
  yield* db.users.insert(user)
  return { userId: user.id, rows: [user] }
})

/** What a project promises about the user in the file about a user. */
export const appUsersSectionContract = sectionContract(appUsersSection, write)
