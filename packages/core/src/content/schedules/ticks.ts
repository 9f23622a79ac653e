import { findLastTick } from "../../time/cron.ts"
import { readConfig, readRecurrence } from "./config.ts"
import type { ContentScheduleRow } from "./schedule.ts"

/**
 * The tick that is to be delivered: of those that were not looked at the latest [I1.3]. Null while the schedule is switched off,
 * and where there is none.
 */
export const findDueTick = (row: ContentScheduleRow, now: Date): Date | null => {
  const recurrence = readRecurrence(row)
  if (recurrence === null) return null
  const { looks_from, last_tick_at } = row
  return findLastTick(recurrence, last_tick_at !== null && last_tick_at > looks_from ? last_tick_at : looks_from, now)
}

/** Whether a changed schedule forgets the ticks before: it was switched on, or has another cron or zone [I1.3]. */
export const startsAnew = (before: ContentScheduleRow, after: ContentScheduleRow): boolean => {
  if (after.is_active && !before.is_active) return true
  const [was, is] = [readConfig(before), readConfig(after)]
  return was.cron !== is.cron || was.timezone !== is.timezone
}
