import type { ReviewsDb } from "@hearth/core/reviews"
import { tableContract } from "../contracts/table.contract.ts"
import type { TenantFeature } from "../feature.ts"
import { reviewableItemsContract, reviewsContract } from "./contract.ts"
import { memoryReviewsDb, reviewableItemShape, reviewShape } from "./memory.ts"
import { reviewableItems, reviewSections, reviews } from "./tables.ts"

/** Reviews in tests: tables and repositories in memory, contract suites. */
export const reviewsFeature: TenantFeature<ReviewsDb> = {
  tenant: {
    shapes: [reviewableItemShape, reviewShape],
    sections: { reviews: reviewShape },
    make: ({ statements }) => memoryReviewsDb(statements),
    contracts: [
      (open) => tableContract(open, reviewableItems),
      (open) => tableContract(open, reviews),
      reviewableItemsContract,
      reviewsContract,
      ...reviewSections,
    ],
  },
}
