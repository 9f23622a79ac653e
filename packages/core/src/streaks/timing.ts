import { endOfPeriod, periodAt } from "../time/periods.ts"
import type { StreakDefinition } from "./definition.ts"
import { type Run, type RunRules, settle } from "./run.ts"

/** The part of a definition that decides when a period is over. */
export type TimingRules = Pick<StreakDefinition, "period" | "grace_period_hours">

const hourMillis = 3_600_000

/** The instant at which a period that is not done is missed: its end in the user's zone plus the grace [E2]. */
export const deadlineOf = (rules: TimingRules, period: number, zone: string | null): Date =>
  new Date(endOfPeriod(rules.period, period, zone).getTime() + rules.grace_period_hours * hourMillis)

/** The earliest period that an event at `instant` may still count for: the first whose deadline has not passed. */
export const firstOpenPeriod = (rules: TimingRules, instant: Date, zone: string | null): number => {
  // A period stays open for the grace after its end, so the first open one is the period of `instant` minus the grace.
  const then = new Date(instant.getTime() - rules.grace_period_hours * hourMillis)
  let period = periodAt(rules.period, then, zone)
  // When the clocks go back over midnight, the day before is not over although a new date was shown.
  while (deadlineOf(rules, period - 1, zone).getTime() > instant.getTime()) period -= 1
  return period
}

/**
 * The period that an event at `instant` counts for: the period of `instant`, or the earliest one in whose grace it comes that
 * is not done and keeps the run going. An event never counts for two periods.
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
