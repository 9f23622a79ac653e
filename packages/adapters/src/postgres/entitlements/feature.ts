import type { EntitlementsDb } from "@hearth/core/entitlements"
import type { TenantFeature } from "../feature.ts"
import { Entitlement } from "../users/entities.ts"
import { EntitlementSource, entitlementEnds, entitlementSources } from "./entities.ts"
import { makeEntitlementSources, makeEntitlements } from "./entitlements.ts"

/** Entitlements in PostgreSQL: tables and repositories. */
export const entitlementsFeature: TenantFeature<EntitlementsDb> = {
  tenant: {
    entities: [Entitlement, EntitlementSource],
    steps: [entitlementSources, entitlementEnds],
    repositories: {
      entitlements: (statements, shapes) => makeEntitlements(statements, shapes(Entitlement)),
      entitlementSources: (statements, shapes) => makeEntitlementSources(statements, shapes(EntitlementSource)),
    },
  },
}
