import type { EntitlementsDb } from "@hearth/core/entitlements"
import type { TenantFeature } from "../feature.ts"
import { entitlementShape } from "../users/memory-shapes.ts"
import { entitlementSourceShape, memoryEntitlementSources, memoryEntitlements } from "./memory.ts"

/** Entitlements in tests: tables and repositories in memory. */
export const entitlementsFeature: TenantFeature<EntitlementsDb> = {
  tenant: {
    shapes: [entitlementShape, entitlementSourceShape],
    sections: { user_entitlements: entitlementShape },
    make: ({ statements }) => ({
      entitlements: memoryEntitlements(statements),
      entitlementSources: memoryEntitlementSources(statements),
    }),
  },
}
