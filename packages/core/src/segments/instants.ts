import { dayMillis } from "../time/zones.ts"

const day = "(?:0[1-9]|[12][0-9]|3[01])"
const daysOfMonths = `(?:0[13578]|1[02])-${day}|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8])`
const leapYear = "(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
const time = "(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\\.[0-9]{1,9})?)?(?:Z|[+-](?:0[0-9]|1[0-4]):[0-5][0-9])"

/**
 * The timestamps of rules: an ISO-8601 date, or a date and time with an offset, of a day that exists and a year from 0002 on.
 * The regular expression means the same in JavaScript and in PostgreSQL, which can cast every text that it matches.
 */
export const timestampPattern = `^(?!000[01])(?:[0-9]{4}-(?:${daysOfMonths})|${leapYear}-02-29)(?:T${time})?$`

const timestamp = new RegExp(timestampPattern)
const beyondMillis = /(\.[0-9]{3})[0-9]+/

/** Parses a timestamp, cut to whole milliseconds; a date is midnight in UTC. Null for other text. */
export const readTimestamp = (text: string): Date | null => {
  if (!timestamp.test(text)) return null
  const instant = new Date(text.replace(beyondMillis, "$1"))
  return Number.isNaN(instant.getTime()) ? null : instant
}

const durationPattern = /^([1-9]\d{0,6})([dhm])$/
const unitMillis: Readonly<Record<string, number>> = { d: dayMillis, h: 3_600_000, m: 60_000 }
const longestMillis = 36_500 * dayMillis

/** The milliseconds of `"7d"`, `"24h"` or `"30m"`; null for other text, and for more than 36,500 days. */
export const readDuration = (text: string): number | null => {
  const [, count, unit = ""] = durationPattern.exec(text) ?? []
  const millis = Number(count) * (unitMillis[unit] ?? Number.NaN)
  return millis <= longestMillis ? millis : null
}
