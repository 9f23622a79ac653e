import { dayKey, periodAt, periodKey } from "../time/periods.ts"
import { localDay } from "../time/zones.ts"

/** A range of days in UTC: `first` and `last` belong to it. */
export interface DayRange {
  readonly first: string
  readonly last: string
}

/** A range of instants: `since` ≤ t < `until` [A12]. */
export interface TimeRange {
  readonly since: Date
  readonly until: Date
}

/** The UTC day of an instant, `YYYY-MM-DD`. */
export const utcDay = (at: Date): string => dayKey(localDay(at, null))

/** The last UTC day that begins before `until`: the day of `until` itself, unless that is midnight. */
const lastDay = (until: Date): number => localDay(new Date(until.getTime() - 1), null)

/** The UTC days that have a part in the range; null for an empty range. The first and the last one count whole [H5.3]. */
export const findDays = ({ since, until }: TimeRange): DayRange | null =>
  since < until ? { first: utcDay(since), last: dayKey(lastDay(until)) } : null

/** The `days` UTC days up to `until`: the last of them is the one that ends at `until`, or in which `until` is [H5.3]. */
export const findDaysUpTo = (until: Date, days: number): DayRange => {
  const last = lastDay(until)
  return { first: dayKey(last - days + 1), last: dayKey(last) }
}

/** The Mondays of the ISO weeks (UTC) up to that of `now`, the oldest first. */
export const findWeeks = (now: Date, weeks: number): ReadonlyArray<string> => {
  const present = periodAt("weekly", now, null)
  return Array.from({ length: weeks }, (_, at) => periodKey("weekly", present - weeks + 1 + at))
}

/** The instant at which a day begins in UTC. */
export const startOfUtcDay = (day: string): Date => new Date(`${day}T00:00:00.000Z`)
