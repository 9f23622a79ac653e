import { describeColumns } from "../columns.ts"
import type { TableSection } from "../exports/section.ts"
import { Review } from "./review.ts"

/** The reviews that the user has written. */
export const reviewsSection: TableSection = { name: "reviews", key: ["id"], columns: describeColumns(Review) }
