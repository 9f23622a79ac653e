import type { ReviewsDb } from "@hearth/core/reviews"
import type { TenantFeature } from "../feature.ts"
import { memoryReviewsDb, reviewableItemShape, reviewShape } from "./memory.ts"

/** Reviews in tests: tables and repositories in memory. */
export const reviewsFeature: TenantFeature<ReviewsDb> = {
  tenant: {
    shapes: [reviewableItemShape, reviewShape],
    sections: { reviews: reviewShape },
    make: ({ statements }) => memoryReviewsDb(statements),
  },
}
