import {
  type Entitlement,
  EntitlementSource,
  type EntitlementSummary,
  type Entitlements,
} from "@hearth/core/entitlements"
import { keepIds } from "../memory/columns.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { describeTable } from "../memory/shape.ts"
import { memoryTable, select, sorted } from "../memory/table.ts"
import { entitlementShape } from "../users/memory-shapes.ts"

/** The table of what sources say. */
export const entitlementSourceShape = describeTable("entitlement sources", EntitlementSource, {
  unique: [["app_user_id", "source", "entitlement_id"]],
  parents: { app_user_id: "users" },
})

const summaryOf = ({ id, entitlement_id, is_active, expiration_date }: Entitlement): EntitlementSummary => ({
  id,
  entitlement_id,
  is_active,
  expiration_date,
})

/** The summaries of a user's entitlements, sorted by name. */
export const summariesOf = (draft: Draft, app_user_id: string): ReadonlyArray<EntitlementSummary> =>
  sorted(entitlementShape, select(draft, entitlementShape, { app_user_id }), [["entitlement_id", "asc"]]).map(summaryOf)

/** The entitlements of users. */
export const memoryEntitlements = (statements: Statements): Entitlements => ({
  ...memoryTable(statements, entitlementShape),
  ofUsers: (userIds) =>
    statements.query((draft) => {
      const all = keepIds(userIds).map((id) => [id, summariesOf(draft, id)] as const)
      return new Map(all.filter(([, summaries]) => summaries.length > 0))
    }),
})
