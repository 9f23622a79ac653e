import {
  Entitlement,
  type EntitlementKey,
  EntitlementSource,
  type EntitlementSources,
  type EntitlementSummary,
  type Entitlements,
} from "@hearth/core/entitlements"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import type { TableShape } from "../schema/schema.ts"
import { makeTable } from "../sql/table.ts"
import { makeManyRows } from "./many-rows.ts"

/** The entitlements of users. */
export const makeEntitlements = (statements: Statements, shape: TableShape): Entitlements => ({
  ...makeTable<Entitlement>(statements, shape),
  ...makeManyRows(statements, shape.name, Entitlement),
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

const endable = "source = 'provider' and is_active and expiration_date is not null"

/** What each source says about entitlements. */
export const makeEntitlementSources = (statements: Statements, shape: TableShape): EntitlementSources => ({
  ...makeTable<EntitlementSource>(statements, shape),
  ...makeManyRows(statements, shape.name, EntitlementSource),
  ended: (at, limit) =>
    statements.rows<EntitlementKey>(
      `select app_user_id, entitlement_id from ${shape.name} where ${endable} and expiration_date <= $1
       order by expiration_date, id limit $2`,
      [at, limit],
    ),
  listProvided: (userIds) =>
    statements.rows<EntitlementKey>(
      `select app_user_id, entitlement_id from ${shape.name} where app_user_id = any($1::uuid[]) and source = 'provider'`,
      [userIds],
    ),
  nextEnd: () => statements.instant(`select min(expiration_date) from ${shape.name} where ${endable}`),
})
