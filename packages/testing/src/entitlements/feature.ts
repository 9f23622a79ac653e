import type { EntitlementsDb } from "@hearth/core/entitlements"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { entitlementShape } from "../users/memory-shapes.ts"
import { entitlementsContract } from "./entitlements.contract.ts"
import { memoryEntitlements } from "./memory.ts"
import { userEntitlementsSectionContract } from "./sections.contract.ts"
import { entitlements } from "./tables.ts"

/** Entitlements in tests: tables and repositories in memory, contract suites. */
export const entitlementsFeature: TenantFeature<EntitlementsDb> = {
  tenant: {
    shapes: [entitlementShape],
    sections: { user_entitlements: entitlementShape },
    make: ({ statements }) => ({ entitlements: memoryEntitlements(statements) }),
    contracts: [(open) => tableContract(open, entitlements), entitlementsContract, userEntitlementsSectionContract],
  },
}
