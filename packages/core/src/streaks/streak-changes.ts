import { type BatchNote, batchNote } from "../background/batch-notes.ts"
import type { LockedStreak } from "./lock-streaks.ts"
import type { StreakKey, StreakPeriodRow } from "./streak-rows.ts"
import { bringUpToDate, readRun, type StreakStatus, type UserStreak } from "./user-streak.ts"

/** What the events of a batch have made of one streak [G9.1]. */
export interface StreakChange extends StreakKey {
  /** The name of the events. The definition may have got another one since. */
  readonly qualifying_event: string
  /** The count that a reader saw before the batch. */
  readonly before: number
  /** The count and the status that a reader sees after it. */
  readonly after: number
  readonly status: StreakStatus
  /** The freezes that covered missed periods, so that the run went on to what the batch has done. */
  readonly freezes_used: number
  /** The earliest instant from which periods may have changed. */
  readonly from: Date
}

/** What the reaction of streaks tells later ones: a streak of which periods or the count have changed, at most once per batch. */
export const streakChangesNote: BatchNote<StreakChange> = batchNote("streaks.changes")

/** A streak as it was locked, and as it is after events or a rebuild. */
export interface WrittenStreak {
  readonly before: LockedStreak
  readonly after: UserStreak
  /** The periods that were written, done and frozen, from the earliest on. */
  readonly periods: ReadonlyArray<StreakPeriodRow>
  readonly from: Date
}

/** The events of a batch that a definition has counted: their name, and when they occurred, in milliseconds. */
export interface CountedEvents {
  readonly name: string
  readonly instants: ReadonlySet<number>
}

/** The freezes right before periods that events at these instants have done, as far as they kept the run going. */
const countFreezes = (waiting: number, periods: ReadonlyArray<StreakPeriodRow>, instants: ReadonlySet<number>) => {
  let [used, frozen] = [0, waiting]
  for (const { kind, count_after, occurred_at } of periods) {
    if (kind === "done") {
      if (instants.has(occurred_at.getTime()) && count_after !== 1) used += frozen
      frozen = 0
    } else frozen += 1
  }
  return used
}

/** The freezes that a stored run has used since its last done period. */
const countWaiting = ({ definition, streak }: LockedStreak): number => {
  const { count, last, settled } = readRun(definition, streak)
  return count === 0 || last === null || settled === null ? 0 : settled - last
}

/**
 * What these events have changed of a streak; null where they repeat what was done. `goesOn` says
 * that its periods go on from the stored run, and were not counted again.
 */
export const findChange = (
  { before, after, periods, from }: WrittenStreak,
  { name, instants }: CountedEvents,
  goesOn: boolean,
  now: Date,
): StreakChange | null => {
  const { definition, streak, zone } = before
  const [was, is] = [streak, after].map((row) => bringUpToDate(definition, row, zone, now).streak)
  if (was === undefined || is === undefined) return null
  const isMade = periods.some(({ kind, occurred_at }) => kind === "done" && instants.has(occurred_at.getTime()))
  const isSame =
    was.current_count === is.current_count &&
    was.freezes_remaining === is.freezes_remaining &&
    was.status === is.status &&
    was.last_period === is.last_period
  if (!isMade && isSame) return null
  return {
    app_user_id: after.app_user_id,
    streak_definition_id: after.streak_definition_id,
    qualifying_event: name,
    before: was.current_count,
    after: is.current_count,
    status: is.status,
    freezes_used: countFreezes(goesOn ? countWaiting(before) : 0, periods, instants),
    from,
  }
}
