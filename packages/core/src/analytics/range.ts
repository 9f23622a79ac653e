import { Effect } from "effect"
import { InvalidSince, InvalidUntil } from "../events/failures.ts"
import { dayMillis } from "../time/zones.ts"
import { countDays, type TimeRange } from "./days.ts"
import { AnalyticsRangeTooLarge } from "./failures.ts"

/** The longest range of one call, in days [H5.2]. */
const maxAnalyticsDays = 366

// The range where `since` is left out, in days before `until`.
const defaultDays = 30

/** The bounds of a call, half-open [A12]. */
export interface RangeQuery {
  readonly since?: Date
  readonly until?: Date
}

/**
 * The range of a call: until now where no `until` is given, and of 30 days where no `since` is. A range that ends before it begins
 * is the fault of the bound that was given; of `until` where both were.
 */
export const readRange = (
  query: RangeQuery,
  now: Date,
): Effect.Effect<TimeRange, InvalidSince | InvalidUntil | AnalyticsRangeTooLarge> => {
  const until = query.until ?? now
  const range: TimeRange = { since: query.since ?? new Date(until.getTime() - defaultDays * dayMillis), until }
  const days = countDays(range)
  if (days < 0) return Effect.fail(query.until === undefined ? new InvalidSince() : new InvalidUntil())
  return days > maxAnalyticsDays
    ? Effect.fail(new AnalyticsRangeTooLarge({ max_days: maxAnalyticsDays, requested_days: Math.ceil(days) }))
    : Effect.succeed(range)
}
