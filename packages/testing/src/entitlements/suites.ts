import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { entitlementsContract } from "./entitlements.contract.ts"
import { manyEntitlementsContract } from "./many-rows.contract.ts"
import { userEntitlementsSectionContract } from "./sections.contract.ts"
import { entitlementSources, entitlements } from "./tables.ts"

/** What every adapter promises about entitlements. */
export const entitlementsSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, entitlements),
    (open) => tableContract(open, entitlementSources),
    entitlementsContract,
    manyEntitlementsContract,
    userEntitlementsSectionContract,
  ],
}
