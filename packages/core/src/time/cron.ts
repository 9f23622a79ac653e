import { Cron, Result } from "effect"
import { dayMillis, localDay, wallMillis } from "./zones.ts"

/** When something happens again and again: a cron expression of five fields, read in an IANA time zone. */
export interface Recurrence {
  readonly cron: string
  readonly timezone: string
}

/** A cron expression, taken apart. */
interface Ticks {
  /** The local times of a day, in milliseconds since midnight, ascending. */
  readonly times: ReadonlyArray<number>
  readonly months: ReadonlySet<number>
  readonly isDay: (date: Date) => boolean
  /** Whether minute and hour are given as numbers: each such time happens once a day, whatever the clocks do [I1.3]. */
  readonly isFixed: boolean
}

// The calendar repeats itself, days of the week included, after 400 years.
const allDays = 146_097
// No zone ever changed its clocks twice within so long.
const stepMillis = dayMillis / 4
// Clocks change at whole seconds, and are read to whole seconds.
const second = 1_000

const numbers = /^[\d,]+$/

const expand = (allowed: ReadonlySet<number>, count: number): ReadonlyArray<number> =>
  allowed.size > 0 ? [...allowed] : Array.from({ length: count }, (_, value) => value)

/** Null for an expression that is none, or has neither five fields nor a sixth in front for seconds. */
const readCron = (text: string): Ticks | null => {
  const parsed = Cron.parse(text, "UTC")
  if (Result.isFailure(parsed)) return null
  const { seconds, minutes, hours, days, months, weekdays } = parsed.success
  const [minute = "", hour = "", day = "", , weekday = ""] = text.trim().split(/\s+/).slice(-5)
  // As in other crons: of two restricted fields one suffices, but `*/2` only narrows the other down.
  const areBoth = day.startsWith("*") || weekday.startsWith("*")
  return {
    times: expand(hours, 24).flatMap((h) =>
      expand(minutes, 60).flatMap((m) => expand(seconds, 60).map((s) => ((h * 60 + m) * 60 + s) * 1_000)),
    ),
    months,
    isDay: (date) => {
      const isDate = days.size === 0 || days.has(date.getUTCDate())
      const isWeekday = weekdays.size === 0 || weekdays.has(date.getUTCDay())
      return areBoth ? isDate && isWeekday : isDate || isWeekday
    },
    isFixed: numbers.test(minute) && numbers.test(hour),
  }
}

const parse = (cron: string, timezone: string): Ticks => {
  const ticks = readCron(cron)
  // An unknown zone is no reason to run at other times than asked for.
  if (ticks === null || Result.isFailure(Cron.parse(cron, timezone))) throw new Error("This is no recurrence.")
  return ticks
}

/** The days of the expression from `day` on, or back from it, counted from 1970-01-01. */
const listDays = function* ({ months, isDay }: Ticks, from: number, step: 1 | -1): Generator<number> {
  for (let day = from; Math.abs(day - from) <= allDays; ) {
    const date = new Date(day * dayMillis)
    if (months.size === 0 || months.has(date.getUTCMonth() + 1)) {
      if (isDay(date)) yield day
      day += step
    } else if (step === 1) day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / dayMillis
    else day = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 0) / dayMillis
  }
}

/** A stretch of time in which the clocks of a zone did not change. */
interface Stretch {
  readonly from: number
  readonly until: number
  readonly offset: number
}

/** The stretches around a local day: whatever the zone, all of the day's instants are in them. */
const findStretches = (day: number, zone: string): ReadonlyArray<Stretch> => {
  const offsetAt = (millis: number) => wallMillis(new Date(millis), zone) - millis
  const first = (day - 1) * dayMillis
  const end = (day + 2) * dayMillis
  const stretches: Array<Stretch> = []
  let [from, offset] = [first, offsetAt(first)]
  for (let at = first + stepMillis; at <= end; at += stepMillis) {
    const next = offsetAt(at)
    if (next === offset) continue
    let [before, after] = [at - stepMillis, at]
    while (after - before > second) {
      const middle = Math.floor((before + after) / 2 / second) * second
      if (offsetAt(middle) === offset) before = middle
      else after = middle
    }
    stretches.push({ from, until: after, offset })
    from = after
    offset = next
  }
  return [...stretches, { from, until: end, offset }]
}

/** The instants at which clocks show this local time: none in a gap, two in an overlap. */
const findShown = (stretches: ReadonlyArray<Stretch>, wall: number): ReadonlyArray<number> =>
  stretches.flatMap(({ from, until, offset }) => {
    const at = wall - offset
    return at >= from && at < until ? [at] : []
  })

/** The first instant at which clocks show this local time or have passed it. */
const findReached = (stretches: ReadonlyArray<Stretch>, wall: number): number =>
  Math.min(
    ...stretches.flatMap(({ from, until, offset }) => (wall < until + offset ? [Math.max(from, wall - offset)] : [])),
  )

const sorted = (instants: ReadonlyArray<number>) => [...new Set(instants)].sort((a, b) => a - b)

/** The ticks of a local day, ascending. */
const listTicks = ({ times, isFixed }: Ticks, day: number, zone: string): ReadonlyArray<number> => {
  const midnight = day * dayMillis
  if (zone === "UTC") return times.map((time) => midnight + time)
  const stretches = findStretches(day, zone)
  return sorted(
    times.flatMap((time) =>
      isFixed ? [findReached(stretches, midnight + time)] : findShown(stretches, midnight + time),
    ),
  )
}

/**
 * The ticks of a recurrence after an instant, one after the other [I1.3]. With numbers for minute and hour, a tick that the
 * clocks skip is at the first instant after the gap, and one that they show twice is at the first time. Others are at every
 * local time that exists, both times in an overlap. Throws for an invalid expression or zone. A sixth field in front counts seconds.
 */
export const listNextTicks = function* ({ cron, timezone }: Recurrence, after: Date): Generator<Date> {
  const parsed = parse(cron, timezone)
  let waiting: ReadonlyArray<number> = []
  // Where the clocks go back over midnight, times of the day before come once more.
  for (const day of listDays(parsed, localDay(after, timezone) - 1, 1)) {
    const ticks = listTicks(parsed, day, timezone)
    const [first = Number.NEGATIVE_INFINITY] = ticks
    for (const tick of waiting) if (tick < first && tick > after.getTime()) yield new Date(tick)
    waiting = sorted([...waiting.filter((tick) => tick >= first), ...ticks])
  }
  for (const tick of waiting) if (tick > after.getTime()) yield new Date(tick)
}

/** The first tick after an instant; null when there is none (30 February). The rules are those of `listNextTicks`. */
export const nextTick = (recurrence: Recurrence, after: Date): Date | null => {
  const { value } = listNextTicks(recurrence, after).next()
  return value ?? null
}

/** The latest tick after `after` and not after `until`; null when there is none. The rules are those of `listNextTicks`. */
export const findLastTick = ({ cron, timezone }: Recurrence, after: Date, until: Date): Date | null => {
  const parsed = parse(cron, timezone)
  const firstDay = localDay(after, timezone) - 1
  let last: number | null = null
  let lastDay = 0
  for (const day of listDays(parsed, localDay(until, timezone) + 1, -1)) {
    // Of two days in a row either may have the later tick, where the clocks go back over midnight.
    if (day < firstDay || (last !== null && day < lastDay - 1)) break
    const tick = listTicks(parsed, day, timezone).findLast((at) => at <= until.getTime())
    if (tick === undefined || tick <= (last ?? after.getTime())) continue
    last = tick
    lastDay = day
  }
  return last === null ? null : new Date(last)
}

const fieldCount = 5

/** Whether `text` is a cron expression of five fields that fires at all. */
export const isCron = (text: string): boolean => {
  if (text.trim().split(/\s+/).length !== fieldCount) return false
  const ticks = readCron(text)
  return ticks !== null && listDays(ticks, 0, 1).next().done === false
}
