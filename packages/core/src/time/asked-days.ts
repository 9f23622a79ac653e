import { dayMillis } from "./zones.ts"

// So long a call may be on its way.
const callMillis = 60_000

/**
 * How many days a call asks for, with their fraction; below 0 where the range ends before it begins. Without `until` it ends now, which
 * is later than when the caller looked at the clock: what a minute adds to it does not count [A12].
 */
export const countAskedDays = (since: Date, until: Date | undefined, now: Date): number => {
  const millis = (until ?? now).getTime() - since.getTime()
  if (until !== undefined || millis < 0) return millis / dayMillis
  return Math.max(0, millis - callMillis) / dayMillis
}
