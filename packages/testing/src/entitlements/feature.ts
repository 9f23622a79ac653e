import type { EntitlementsDb } from "@hearth/core/entitlements"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { entitlementShape } from "../users/memory-shapes.ts"
import { entitlementsContract } from "./entitlements.contract.ts"
import { manyEntitlementsContract } from "./many-rows.contract.ts"
import { entitlementSourceShape, memoryEntitlementSources, memoryEntitlements } from "./memory.ts"
import { userEntitlementsSectionContract } from "./sections.contract.ts"
import { entitlementSources, entitlements } from "./tables.ts"

/** Entitlements in tests: tables and repositories in memory, contract suites. */
export const entitlementsFeature: TenantFeature<EntitlementsDb> = {
  tenant: {
    shapes: [entitlementShape, entitlementSourceShape],
    sections: { user_entitlements: entitlementShape },
    make: ({ statements }) => ({
      entitlements: memoryEntitlements(statements),
      entitlementSources: memoryEntitlementSources(statements),
    }),
    contracts: [
      (open) => tableContract(open, entitlements),
      (open) => tableContract(open, entitlementSources),
      entitlementsContract,
      manyEntitlementsContract,
      userEntitlementsSectionContract,
    ],
  },
}
