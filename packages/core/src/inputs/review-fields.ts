import { Schema } from "effect"
import { Rating } from "../reviews/index.ts"

/** What options that choose among reviews have to be. */
export const reviewFields = { rating_min: Rating, rating_max: Rating, is_approved: Schema.Boolean }
