import { failure } from "../failure.ts"

/** The range is longer than 366 days [H5.2]. `details` has `max_days` and `requested_days`. */
export class AnalyticsRangeTooLarge extends failure(
  "AnalyticsRangeTooLarge",
  "invalid",
  "RANGE_TOO_LARGE",
  "At most 366 days can be asked for in one call.",
) {}
