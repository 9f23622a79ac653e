import type { Entitlement, EntitlementSummary, Entitlements } from "@hearth/core/entitlements"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"

/** The entitlements of users. */
export const makeEntitlements = (statements: Statements, shape: TableShape): Entitlements => ({
  ...makeTable<Entitlement>(statements, shape),
  ofUsers: (userIds) =>
    Effect.map(
      statements.rows<EntitlementSummary & Pick<Entitlement, "app_user_id">>(
        `select app_user_id, id, entitlement_id, is_active, expiration_date from user_entitlements
         where app_user_id = any($1::uuid[]) order by app_user_id, entitlement_id`,
        [userIds],
      ),
      (rows) => {
        const byUser = new Map<string, Array<EntitlementSummary>>()
        for (const { app_user_id, ...summary } of rows) {
          const own = byUser.get(app_user_id) ?? []
          byUser.set(app_user_id, own)
          own.push(summary)
        }
        return byUser
      },
    ),
})
