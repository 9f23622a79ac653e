export { findLastTick, isCron, listNextTicks, nextTick, type Recurrence } from "./cron.ts"
export { clockToleranceMillis, isPastNextTick } from "./future.ts"
export {
  dayKey,
  dayOfKey,
  endOfPeriod,
  firstDayOf,
  type Period,
  periodAt,
  periodIndex,
  periodKey,
  periodOfDay,
} from "./periods.ts"
export { dayMillis, isTimeZone, localDay, startOfDay, wallMillis } from "./zones.ts"
