import { dayOfKey, periodKey } from "../time/periods.ts"
import type { StreakDefinition } from "./definition.ts"
import { advanceFold, type Fold, skipPeriod } from "./run/run.ts"
import type { QualifyingEventRow, StreakPeriodRow } from "./streak-rows.ts"
import { firstOpenPeriod, isSkippedByMove, type LastDone, placeEvent, utc } from "./timing.ts"

/** Where events have led a run, and the periods that they made. */
export interface Folded {
  readonly fold: Fold
  readonly periods: ReadonlyArray<StreakPeriodRow>
  /** The last event that made a period; the one given where none did. */
  readonly done: LastDone | null
}

/** The rows of periods that newly used a freeze or were done. */
const makeRows = (
  definition: StreakDefinition,
  userId: string,
  now: Date,
): {
  readonly frozen: (period: number) => StreakPeriodRow
  readonly done: (period: number, occurredAt: Date, fold: Fold) => StreakPeriodRow
} => {
  const row = (period: number) => ({
    app_user_id: userId,
    streak_definition_id: definition.id,
    period_key: periodKey(definition.period, period),
  })
  return {
    frozen: (period) => ({
      ...row(period),
      kind: "freeze",
      occurred_at: now,
      count_after: null,
      freezes_after: null,
    }),
    done: (period, occurred_at, { run }) => ({
      ...row(period),
      kind: "done",
      occurred_at,
      count_after: run.count,
      freezes_after: run.freezes,
    }),
  }
}

/**
 * Counts events of one user, given as `orderEvents` orders them, from a run on, the last period of which the event `startDone` has made
 * (null: none, or it is not known): the one rule that makes periods of events, in the order in which they occurred, whatever the
 * order in which they came. Null when one came in time for a period that is settled already, so that they must be counted from an
 * earlier run. Takes time in proportion to the events and the missed periods.
 */
export const foldEvents = (
  definition: StreakDefinition,
  start: Fold,
  startDone: LastDone | null,
  events: ReadonlyArray<QualifyingEventRow>,
  now: Date,
): Folded | null => {
  const rows = makeRows(definition, events[0]?.app_user_id ?? "", now)
  const periods: Array<StreakPeriodRow> = []
  let [fold, done] = [start, startDone]
  for (const { occurred_at, day, zone, events: times } of events) {
    const event = { occurred_at, day: dayOfKey(day), zone }
    const { last, settled } = fold.run
    if (last !== null && done !== null && isSkippedByMove(definition, last, done, occurred_at, zone)) {
      if (settled !== last) return null
      fold = skipPeriod(fold, last)
    }
    for (let left = times; left > 0; left -= 1) {
      const period = placeEvent(definition, fold, event)
      const { last, settled } = fold.run
      // What repeats a done period changes nothing, also not by being there once more.
      if (last !== null && period <= last) break
      // Something was settled as missed that this event came in time for.
      if (settled !== last && settled !== null && firstOpenPeriod(definition, occurred_at, zone) <= settled) return null
      const step = advanceFold(definition, fold, period)
      fold = step.fold
      done = { at: occurred_at, zone: zone ?? utc }
      periods.push(...step.frozen.map(rows.frozen), rows.done(period, occurred_at, fold))
    }
  }
  return { fold, periods, done }
}
