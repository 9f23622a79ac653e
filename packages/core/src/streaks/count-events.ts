import type { EventHead } from "../background/reaction.ts"
import { dayKey } from "../time/periods.ts"
import { localDay } from "../time/zones.ts"
import { foldEvents } from "./fold-events.ts"
import type { LockedStreak } from "./lock-streaks.ts"
import { mergeInstants } from "./rebuild-streaks.ts"
import type { QualifyingEventRow, StreakPeriodRow } from "./streak-rows.ts"
import { utc } from "./timing.ts"
import { awaitsRebuild, noteDone, readDone, readRun, type UserStreak, withRun } from "./user-streak.ts"

/** A streak after its events, and the new periods. */
export interface Counted {
  readonly streak: UserStreak
  readonly periods: ReadonlyArray<StreakPeriodRow>
}

/** The events of one user as a definition counts them, in the order in which they occurred. */
export const makeQualifyingEvents = (
  definitionId: string,
  events: ReadonlyArray<EventHead>,
  zone: string | null,
  counted_at: Date,
): ReadonlyArray<QualifyingEventRow> => {
  const rows = events.map(({ app_user_id, occurred_at }): QualifyingEventRow => {
    const day = dayKey(localDay(occurred_at, zone))
    return { app_user_id, streak_definition_id: definitionId, occurred_at, day, zone, events: 1, counted_at }
  })
  return mergeInstants(rows).toSorted((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime())
}

/**
 * Goes on from the stored run, without reading what was counted before. Null where that does not give what a rebuild does: the
 * streak waits for one or says that it has to, its user has moved since the last event that made a period, an event is from before
 * that, or it came in time for what was settled.
 */
export const countInOrder = (
  { definition, streak, zone }: LockedStreak,
  events: ReadonlyArray<QualifyingEventRow>,
  now: Date,
): Counted | null => {
  const [first, last] = [events[0], events.at(-1)]
  if (first === undefined || last === undefined) return { streak, periods: [] }
  if (awaitsRebuild(definition, streak)) return null
  const done = readDone(streak)
  const hasBegun = streak.last_period !== null
  // In another zone an event may have been counted at the same instant, on the day that it had there.
  if (hasBegun && (done === null || done.zone !== (zone ?? utc) || first.occurred_at < done.at)) return null
  const folded = foldEvents(definition, { run: readRun(definition, streak), waiting: [] }, done, events, now)
  if (folded === null) return null
  const { last_event_at } = streak
  return {
    streak: {
      ...withRun(definition, { ...streak, ...noteDone(folded.done) }, folded.fold.run, zone, now),
      last_event_at: last_event_at !== null && last_event_at > last.occurred_at ? last_event_at : last.occurred_at,
    },
    periods: folded.periods,
  }
}
