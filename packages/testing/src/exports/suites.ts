import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { exportsContract } from "./exports.contract.ts"
import { sectionsContract } from "./sections.contract.ts"

/** What every adapter promises about exports. */
export const exportsSuites: FeatureSuites = {
  tenant: [exportsContract, sectionsContract],
}
