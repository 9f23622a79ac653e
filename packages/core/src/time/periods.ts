import { dayMillis, localDay, startOfDay } from "./zones.ts"

/** The period of a streak: a calendar day, or an ISO week that begins on Monday [E2]. */
export type Period = "daily" | "weekly"

// 1970-01-01 was a Thursday, so the Monday of its week is three days earlier.
const mondayShift = 3

/** The number of the period of a day (counted from 1970-01-01). Consecutive periods have consecutive numbers. */
export const periodOfDay = (period: Period, day: number): number =>
  period === "daily" ? day : Math.floor((day + mondayShift) / 7)

/** The first day of a period, counted from 1970-01-01. */
export const firstDayOf = (period: Period, index: number): number =>
  period === "daily" ? index : index * 7 - mondayShift

/** The period of `instant` in `zone` (null is UTC). */
export const periodAt = (period: Period, instant: Date, zone: string | null): number =>
  periodOfDay(period, localDay(instant, zone))

/** The instant at which a period ends in `zone`: the first that is no longer in it. */
export const endOfPeriod = (period: Period, index: number, zone: string | null): Date =>
  startOfDay(firstDayOf(period, index + 1), zone)

/** The key of a period: the date of its first day, `YYYY-MM-DD`. */
export const periodKey = (period: Period, index: number): string => dayKey(firstDayOf(period, index))

/** The number of the period with `key`. */
export const periodIndex = (period: Period, key: string): number => periodOfDay(period, dayOfKey(key))

/** The date of a day, `YYYY-MM-DD`. */
export const dayKey = (day: number): string => {
  const date = new Date(day * dayMillis)
  const year = date.getUTCFullYear()
  // Written for every event: put together from its parts it takes a sixth of the time.
  return year < 1_000 || year > 9_999
    ? date.toISOString().slice(0, 10)
    : `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`
}

const twoDigits = (number: number): string => (number < 10 ? `0${number}` : String(number))

/** The day of a date, counted from 1970-01-01. */
export const dayOfKey = (key: string): number => Math.floor(Date.parse(`${key}T00:00:00Z`) / dayMillis)
