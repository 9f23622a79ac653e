import type { EntitlementSource as EntitlementSourceRow, EntitlementsDb } from "@hearth/core/entitlements"
import type { TenantFeature } from "../feature.ts"
import { makeTable } from "../sql/table.ts"
import { Entitlement } from "../users/entities.ts"
import { EntitlementSource, entitlementSources } from "./entities.ts"
import { makeEntitlements } from "./entitlements.ts"

/** Entitlements in PostgreSQL: tables and repositories. */
export const entitlementsFeature: TenantFeature<EntitlementsDb> = {
  tenant: {
    entities: [Entitlement, EntitlementSource],
    steps: [entitlementSources],
    repositories: {
      entitlements: (statements, shapes) => makeEntitlements(statements, shapes(Entitlement)),
      entitlementSources: (statements, shapes) =>
        makeTable<EntitlementSourceRow>(statements, shapes(EntitlementSource)),
    },
  },
}
