import type { EntitlementsDb } from "@hearth/core/entitlements"
import type { TenantFeature } from "../feature.ts"
import { Entitlement } from "../users/entities.ts"
import { makeEntitlements } from "./entitlements.ts"

/** Entitlements in PostgreSQL: tables and repositories. */
export const entitlementsFeature: TenantFeature<EntitlementsDb> = {
  tenant: {
    entities: [Entitlement],
    repositories: { entitlements: (statements, shapes) => makeEntitlements(statements, shapes(Entitlement)) },
  },
}
