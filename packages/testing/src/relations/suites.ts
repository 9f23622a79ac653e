import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { blocksContract, followsContract } from "./contract.ts"
import { blocks, follows, relationSections } from "./tables.ts"

/** What every adapter promises about relations. */
export const relationsSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, follows),
    (open) => tableContract(open, blocks),
    followsContract,
    blocksContract,
    ...relationSections,
  ],
}
