import { endOfPeriod, periodAt } from "../time/periods.ts"
import type { StreakDefinition } from "./definition.ts"
import { type Run, type RunRules, settle } from "./run.ts"

/** The part of a definition that decides when a period is over. */
export type TimingRules = Pick<StreakDefinition, "period" | "grace_period_hours">

const hourMillis = 3_600_000

/** The instant at which a period that was not done is missed: its end in the user's zone, and the grace after it [E2]. */
export const deadlineOf = (rules: TimingRules, period: number, zone: string | null): Date =>
  new Date(endOfPeriod(rules.period, period, zone).getTime() + rules.grace_period_hours * hourMillis)

/** The earliest period that an event at `instant` may still count for: the first whose deadline has not passed. */
export const firstOpenPeriod = (rules: TimingRules, instant: Date, zone: string | null): number => {
  // A period is open exactly as long after its end as the grace, so it is the one in which the clock then was.
  const then = new Date(instant.getTime() - rules.grace_period_hours * hourMillis)
  let period = periodAt(rules.period, then, zone)
  // Where the clocks go back over midnight, the day before is not over yet although a new date has been shown.
  while (deadlineOf(rules, period - 1, zone).getTime() > instant.getTime()) period -= 1
  return period
}

/**
 * The period that an event at `instant` counts for. That is the period of `instant`, except in the grace of an earlier
 * one that was not done and would keep the run going: then it is that one, the earliest first, so an event never counts
 * for two. `run` is the run up to the present period, `isDone` knows the periods done.
 */
export const placeEvent = (rules: TimingRules & RunRules, run: Run, instant: Date, zone: string | null): number => {
  const natural = periodAt(rules.period, instant, zone)
  const { last } = run
  if (last === null || natural <= last) return natural
  for (let period = Math.max(last + 1, firstOpenPeriod(rules, instant, zone)); period < natural; period += 1) {
    if (settle(rules, run, period - 1).run.count > 0) return period
  }
  return natural
}
