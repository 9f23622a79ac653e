import { endOfPeriod, periodAt, periodOfDay } from "../time/periods.ts"
import { wallMillis } from "../time/zones.ts"
import type { StreakDefinition } from "./definition.ts"
import { type Fold, type RunRules, settleFold } from "./run/run.ts"

/** The part of a definition that decides when a period is over. */
export type TimingRules = Pick<StreakDefinition, "period" | "grace_period_hours">

const hourMillis = 3_600_000

/** The zone of users who have none. */
export const utc = "UTC"

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

/** The event that made the last done period: when it occurred, and the zone in which it counted. */
export interface LastDone {
  readonly at: Date
  readonly zone: string
}

// After so long a day between two events was missed in every zone.
const moveMillis = 48 * hourMillis

/**
 * Whether at `instant` the period after `last` is over, and no other, because the user has moved to the east since it was done,
 * less than 48 hours ago. Then it is not missed: an event counts as if it came in the period after the last [facts 2e, 6].
 */
export const isSkippedByMove = (
  rules: TimingRules,
  last: number,
  done: LastDone,
  instant: Date,
  zone: string | null,
): boolean =>
  done.zone !== (zone ?? utc) &&
  instant.getTime() - done.at.getTime() < moveMillis &&
  wallMillis(instant, zone) > wallMillis(instant, done.zone) &&
  firstOpenPeriod(rules, instant, zone) === last + 2

/** How far a run has come: the last period that was done, and the event that made it; null where that is not known. */
export interface Reached {
  readonly last: number | null
  readonly done: LastDone | null
}

/**
 * The last period that is over at `instant`, where nothing was done after the last done one. One that a move has skipped is not over
 * as long as an event could still go on from the period before it.
 */
export const lastOver = (rules: TimingRules, { last, done }: Reached, instant: Date, zone: string | null): number =>
  last !== null && done !== null && isSkippedByMove(rules, last, done, instant, zone)
    ? last
    : firstOpenPeriod(rules, instant, zone) - 1

/** The instant at which `period`, the first that is not accounted for, is over in this sense, as far as that is known at `now`. */
export const overAt = (
  rules: TimingRules,
  { last, done }: Reached,
  period: number,
  now: Date,
  zone: string | null,
): Date => {
  const deadline = deadlineOf(rules, period, zone)
  if (last === null || done === null || period !== last + 1) return deadline
  if (!isSkippedByMove(rules, last, done, deadline > now ? deadline : now, zone)) return deadline
  return new Date(Math.min(done.at.getTime() + moveMillis, deadlineOf(rules, period + 1, zone).getTime()))
}

/** An event, as far as it matters where it counts. */
export interface PlacedEvent {
  readonly occurred_at: Date
  /** The day of its user on which it occurred, counted from 1970-01-01, and the zone in which it was that day. */
  readonly day: number
  readonly zone: string | null
}

/**
 * The period that an event counts for: the period of its day, or the earliest one in whose grace it comes that is not done and
 * keeps the run going. An event never counts for two periods. One that is not after the last done period changes nothing.
 */
export const placeEvent = (rules: TimingRules & RunRules, state: Fold, event: PlacedEvent): number => {
  const natural = periodOfDay(rules.period, event.day)
  const { last } = state.run
  if (last === null || natural <= last + 1) return natural
  // The more periods are missed before, the sooner the run is broken: what the earliest open one breaks, a later one does too.
  const earliest = Math.max(last + 1, firstOpenPeriod(rules, event.occurred_at, event.zone))
  if (earliest >= natural) return natural
  return settleFold(rules, state, earliest - 1).fold.run.count > 0 ? earliest : natural
}
