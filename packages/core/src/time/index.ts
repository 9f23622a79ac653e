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
