import { Effect } from "effect"
import { InvalidSince, InvalidUntil } from "../events/failures.ts"
import { countAskedDays } from "../time/asked-days.ts"
import { dayMillis } from "../time/zones.ts"
import type { TimeRange } from "./days.ts"
import { AnalyticsRangeTooLarge } from "./failures.ts"

/** The longest range of one call, in days [H5.2]. */
const maxAnalyticsDays = 366

/** How long the range of a call may be, and how long it is where `since` is left out, in days. */
interface RangeLimits {
  readonly most: number
  readonly byDefault: number
}

const daysOfFigures: RangeLimits = { most: maxAnalyticsDays, byDefault: 30 }

/** Of figures by hour. */
export const daysOfHours: RangeLimits = { most: 7, byDefault: 1 }

const inTheFuture = "since is in the future, and until was not given."
const beforeSince = "until is before since."

/** The bounds of a call, half-open [A12]. */
export interface RangeQuery {
  readonly since?: Date
  readonly until?: Date
}

/**
 * The range of a call: until now where no `until` is given, and of 30 days where no `since` is and nothing else is said. A range that ends before it begins
 * is the fault of the bound that was given; of `until` where both were.
 */
export const readRange = (
  query: RangeQuery,
  now: Date,
  { most, byDefault } = daysOfFigures,
): Effect.Effect<TimeRange, InvalidSince | InvalidUntil | AnalyticsRangeTooLarge> => {
  const until = query.until ?? now
  const range: TimeRange = { since: query.since ?? new Date(until.getTime() - byDefault * dayMillis), until }
  const days = countAskedDays(range.since, query.until, now)
  if (days < 0) {
    const isOpen = query.until === undefined
    return Effect.fail(isOpen ? new InvalidSince(undefined, inTheFuture) : new InvalidUntil(undefined, beforeSince))
  }
  if (days <= most) return Effect.succeed(range)
  const details = { max_days: most, requested_days: Math.ceil(days) }
  return Effect.fail(new AnalyticsRangeTooLarge(details, `At most ${most} days can be asked for in one call.`))
}
