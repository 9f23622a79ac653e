import type { TenantDb } from "@hearth/core"
import type { UserRow } from "@hearth/core/users"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import {
  awkwardInstant,
  awkwardJson,
  awkwardText,
  earlyInstant,
  lateInstant,
  textsInOrder,
} from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { aUser } from "./builders.ts"

/** Writes a user and answers the id. */
export const writeUser = (db: Pick<TenantDb, "users">) => {
  const user = aUser()
  return Effect.as(Effect.orDie(db.users.insert(user)), user.id)
}

/** The table of users. */
export const users: TableCase<TenantDb, UserRow> = {
  name: "users",
  table: (db) => db.users,
  row: (_, given) =>
    Effect.sync(() => aUser({ email: `${anId()}@example.com`, external_id: `external-${anId()}`, ...given })),
  samples: [
    {
      display_name: awkwardText,
      auth_providers: [
        { provider: "idp_a", provider_id: awkwardText },
        { provider: "", provider_id: "" },
      ],
      properties: awkwardJson,
      first_seen_at: earlyInstant,
      last_seen_at: lateInstant,
      avatar_url: awkwardText,
      timezone: "America/Argentina/ComodRivadavia",
      password_hash: awkwardText,
      email_verified_at: lateInstant,
      is_disabled: true,
      created_at: awkwardInstant,
      updated_at: lateInstant,
    },
    { email: awkwardText, anonymous_id: awkwardText, external_id: awkwardText },
    { email: null, external_id: null, avatar_url: null, timezone: null, password_hash: null, properties: {} },
    { email: "", external_id: "", avatar_url: "", timezone: "", password_hash: "" },
  ],
  unique: [["email"], ["external_id"], ["anonymous_id"]],
  sorting: { column: "display_name", ascending: textsInOrder },
  nullable: { column: "avatar_url", ascending: textsInOrder },
}
