import { dayKey, periodAt, periodKey } from "../time/periods.ts"
import { dayMillis } from "../time/zones.ts"
import type { LeaderboardPeriod } from "./leaderboard.ts"

/** The key of the window of all time. */
export const allTime = "0001-01-01"

const monthStart = (at: Date, months: number): Date => {
  // Not Date.UTC: it takes the years 0 to 99 for those of the 20th century.
  const start = new Date(0)
  start.setUTCFullYear(at.getUTCFullYear(), at.getUTCMonth() + months, 1)
  return start
}

/** The key of the window that an instant is in: its first day in UTC. Weeks begin on Monday [G3.3]. */
export const findWindow = (period: LeaderboardPeriod, at: Date): string => {
  if (period === "all_time") return allTime
  if (period === "monthly") return dayKey(Math.floor(monthStart(at, 0).getTime() / dayMillis))
  return periodKey(period, periodAt(period, at, null))
}

/** The window that an instant is in, as `start` ≤ t < `end`; null for all time [G3.3]. */
export const readWindow = (
  period: LeaderboardPeriod,
  at: Date,
): { readonly start: Date; readonly end: Date } | null => {
  if (period === "all_time") return null
  if (period === "monthly") return { start: monthStart(at, 0), end: monthStart(at, 1) }
  const start = new Date(`${findWindow(period, at)}T00:00:00.000Z`)
  return { start, end: new Date(start.getTime() + (period === "daily" ? 1 : 7) * dayMillis) }
}
