import type { FeatureSuites } from "../contracts/feature-suites.ts"
import { tableContract } from "../contracts/table.contract.ts"
import { reviewableItemsContract, reviewsContract } from "./contract.ts"
import { reviewableItems, reviewSections, reviews } from "./tables.ts"

/** What every adapter promises about reviews. */
export const reviewsSuites: FeatureSuites = {
  tenant: [
    (open) => tableContract(open, reviewableItems),
    (open) => tableContract(open, reviews),
    reviewableItemsContract,
    reviewsContract,
    ...reviewSections,
  ],
}
