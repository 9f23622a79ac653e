import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { inventoryContract, storesContract } from "./contract.ts"
import { inventorySectionContract, purchasesSectionContract } from "./sections.contract.ts"
import { catalogItems, inventory, listings, purchases, stores } from "./tables.ts"

/** What every adapter promises about stores. */
export const storesSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, catalogItems),
    (open) => tableContract(open, stores),
    (open) => tableContract(open, listings),
    (open) => tableContract(open, inventory),
    (open) => tableContract(open, purchases),
    storesContract,
    inventoryContract,
    inventorySectionContract,
    purchasesSectionContract,
  ],
}
