import { nextTick, type Recurrence } from "./cron.ts"

/** How far clocks may differ: each process by up to 30 s from its database. */
export const clockToleranceMillis = 60_000

/** Whether a stored time, at which something was done, is one that no right clock has shown yet. Nothing waits for such a time. */
export const isOfTheFuture = (at: Date, now: Date): boolean => at.getTime() - now.getTime() > clockToleranceMillis

/** Whether a stored tick is past others that are still to come, so that a clock has written it that was ahead. */
export const isPastNextTick = (tick: Date, recurrence: Recurrence, now: Date): boolean => {
  const next = nextTick(recurrence, new Date(now.getTime() + clockToleranceMillis))
  return next !== null && tick > next
}
