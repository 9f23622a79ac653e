import type { TenantDb } from "@hearth/core"
import type { PushToken } from "@hearth/core/push"
import { Effect } from "effect"
import { awkwardInstant, awkwardText, earlyInstant, instantsInOrder } from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aPushToken } from "./builders.ts"

/** The table of the devices of users. */
export const pushTokens: TableCase<TenantDb, PushToken> = {
  name: "push tokens",
  table: (db) => db.pushTokens,
  row: Effect.fnUntraced(function* (db, given = {}) {
    return aPushToken({ ...given, app_user_id: given.app_user_id ?? (yield* writeUser(db)) })
  }),
  samples: [
    { platform: "android", provider: "push_b", is_active: false, created_at: awkwardInstant },
    { token: awkwardText, platform: "web", provider: "push_b", created_at: earlyInstant },
  ],
  unique: [["token"]],
  sorting: { column: "created_at", ascending: instantsInOrder },
}
