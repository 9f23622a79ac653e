import type { ReviewsDb } from "@hearth/core/reviews"
import type { TenantFeature } from "../feature.ts"
import { any, keepList, limit, place, slice, uuid } from "../memory/arguments.ts"
import { memoryReviewsDb, reviewableItemShape, reviewShape } from "./memory.ts"

/** Reviews in tests: tables and repositories in memory. */
export const reviewsFeature: TenantFeature<ReviewsDb> = {
  tenant: {
    shapes: [reviewableItemShape, reviewShape],
    sections: { reviews: reviewShape },
    rules: {
      reviewableItems: { lockReviewedBy: [uuid, limit] },
      reviews: {
        count: [uuid],
        pageOfItem: [uuid, uuid, slice],
        pageOfAll: [any, slice],
        listOfAll: [any, place, slice],
        newest: [limit],
        removeOf: [uuid, keepList(uuid)],
      },
    },
    make: ({ statements }) => memoryReviewsDb(statements),
  },
}
