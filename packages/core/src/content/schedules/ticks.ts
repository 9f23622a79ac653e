import { findLastTick } from "../../time/cron.ts"
import { clockToleranceMillis, isOfTheFuture } from "../../time/future.ts"
import { readConfig, readRecurrence } from "./config.ts"
import type { ContentScheduleRow } from "./schedule.ts"

/**
 * The tick that is to be delivered: of those that were not looked at the latest [I1.3]. Null while the schedule is switched off,
 * and where there is none. What a clock has written that was ahead keeps no tick back.
 */
export const findDueTick = (row: ContentScheduleRow, now: Date): Date | null => {
  const recurrence = readRecurrence(row)
  if (recurrence === null) return null
  const from = isOfTheFuture(row.looks_from, now) ? new Date(now.getTime() - clockToleranceMillis) : row.looks_from
  const last = row.last_tick_at === null || isOfTheFuture(row.last_tick_at, now) ? from : row.last_tick_at
  return findLastTick(recurrence, new Date(Math.max(from.getTime(), last.getTime())), now)
}

/** Whether a changed schedule forgets the ticks before: it was switched on, or has another cron or zone [I1.3]. */
export const startsAnew = (before: ContentScheduleRow, after: ContentScheduleRow): boolean => {
  if (after.is_active && !before.is_active) return true
  const [was, is] = [readConfig(before), readConfig(after)]
  return was.cron !== is.cron || was.timezone !== is.timezone
}
