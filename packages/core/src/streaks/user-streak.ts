import { Schema } from "effect"
import { Count, Day, Text, Timestamp, Uuid } from "../schema.ts"
import { periodIndex, periodKey } from "../time/periods.ts"
import { formatRules, type StreakDefinition } from "./definition.ts"
import { newRun, type Run, settle } from "./run/run.ts"
import type { StreakPeriodRow } from "./streak-rows.ts"
import { type LastDone, lastOver, overAt } from "./timing.ts"

/** `active`: no period was missed since the last done one. `frozen`: freezes cover those missed. `broken`: the count is 0 [E2]. */
export const StreakStatus = Schema.Literals(["active", "frozen", "broken"])
export type StreakStatus = typeof StreakStatus.Type

/** A user's streak as stored. Reads bring it up to date first, with `bringUpToDate`. */
export const UserStreak = Schema.Struct({
  id: Uuid,
  app_user_id: Uuid,
  streak_definition_id: Uuid,
  current_count: Count,
  longest_count: Count,
  freezes_remaining: Count,
  status: StreakStatus,
  /** The first day of the last period that was done. */
  last_period: Schema.NullOr(Day),
  /** The first day of the last period that has been accounted for, done or missed. */
  settled_period: Schema.NullOr(Day),
  /** The latest `occurred_at` among the events that counted. */
  last_event_at: Schema.NullOr(Timestamp),
  /** `occurred_at` of the event that made the last done period; null where no event may go on from the stored run without a rebuild. */
  last_done_at: Schema.NullOr(Timestamp),
  /**
   * The zone in which it was counted, `UTC` for none, and so were all events since where its user is there. In another zone no event goes
   * on from the stored run.
   */
  last_done_zone: Schema.NullOr(Text),
  /** The rules by which it was counted, as `formatRules` writes them. By others, it waits for a rebuild; empty in rows of earlier releases. */
  rules: Text,
  /** Events from this instant on are not counted yet: a rebuild goes on there. Null is none. */
  rebuild_from: Schema.NullOr(Timestamp),
  /** When the next missed period takes a freeze or breaks the streak; null when it is broken. */
  expires_at: Schema.NullOr(Timestamp),
  updated_at: Timestamp,
})
export type UserStreak = typeof UserStreak.Type

/** The fields that only rebuilds need. Nobody outside is shown them. */
export const rebuildFields = ["last_done_at", "last_done_zone", "rules", "rebuild_from"] as const

/** The event that made the last done period of a stored streak; null where it is not known. */
export const readDone = ({ last_done_at, last_done_zone }: UserStreak): LastDone | null =>
  last_done_at === null || last_done_zone === null ? null : { at: last_done_at, zone: last_done_zone }

/** What a streak stores of that event. */
export const noteDone = (done: LastDone | null): Pick<UserStreak, "last_done_at" | "last_done_zone"> => ({
  last_done_at: done?.at ?? null,
  last_done_zone: done?.zone ?? null,
})

/** The run of a stored streak. */
export const readRun = (definition: StreakDefinition, streak: UserStreak): Run => ({
  count: streak.current_count,
  longest: streak.longest_count,
  freezes: streak.freezes_remaining,
  last: streak.last_period === null ? null : periodIndex(definition.period, streak.last_period),
  settled: streak.settled_period === null ? null : periodIndex(definition.period, streak.settled_period),
})

const findStatus = (run: Run): StreakStatus =>
  run.count === 0 ? "broken" : run.settled !== null && run.last !== null && run.settled > run.last ? "frozen" : "active"

/** `streak` with `run` in it, for a user in `zone`. The event of its last done period is what `streak` says of it. */
export const withRun = (
  definition: StreakDefinition,
  streak: UserStreak,
  run: Run,
  zone: string | null,
  now: Date,
): UserStreak => ({
  ...streak,
  current_count: run.count,
  longest_count: run.longest,
  freezes_remaining: run.freezes,
  status: findStatus(run),
  last_period: run.last === null ? null : periodKey(definition.period, run.last),
  settled_period: run.settled === null ? null : periodKey(definition.period, run.settled),
  expires_at:
    run.count === 0 || run.settled === null
      ? null
      : overAt(definition, { last: run.last, done: readDone(streak) }, run.settled + 1, now, zone),
  updated_at: now,
})

/** The rows of the periods that newly used a freeze. */
export const frozenPeriods = (
  definition: StreakDefinition,
  streak: Pick<UserStreak, "app_user_id">,
  frozen: ReadonlyArray<number>,
  now: Date,
): ReadonlyArray<StreakPeriodRow> =>
  frozen.map((index) => ({
    app_user_id: streak.app_user_id,
    streak_definition_id: definition.id,
    period_key: periodKey(definition.period, index),
    kind: "freeze",
    occurred_at: now,
    count_after: null,
    freezes_after: null,
  }))

/** Whether a streak waits for a rebuild: it was counted by other rules, or not all of its events are counted yet. */
export const awaitsRebuild = (definition: StreakDefinition, streak: UserStreak): boolean =>
  streak.rebuild_from !== null || streak.rules !== formatRules(definition)

/** Whether a rebuild will account for what a streak missed. Rows of earlier releases have no rules: until then they go on as before. */
export const isLeftToRebuild = (definition: StreakDefinition, streak: UserStreak): boolean =>
  awaitsRebuild(definition, streak) && (streak.rules !== "" || streak.rebuild_from !== null)

/** A new streak of a user who has not begun. */
export const newUserStreak = (definition: StreakDefinition, id: string, userId: string, now: Date): UserStreak => ({
  id,
  app_user_id: userId,
  streak_definition_id: definition.id,
  current_count: 0,
  longest_count: 0,
  freezes_remaining: newRun(definition).freezes,
  status: "broken",
  last_period: null,
  settled_period: null,
  last_event_at: null,
  last_done_at: null,
  last_done_zone: null,
  rules: formatRules(definition),
  rebuild_from: null,
  expires_at: null,
  updated_at: now,
})

/** Settles all periods of `streak` whose deadline has passed at `now`. `frozen` are the periods that newly used a freeze. */
export const bringUpToDate = (
  definition: StreakDefinition,
  streak: UserStreak,
  zone: string | null,
  now: Date,
): { readonly streak: UserStreak; readonly frozen: ReadonlyArray<number> } => {
  const run = readRun(definition, streak)
  if (run.count === 0) return { streak, frozen: [] }
  const step = settle(definition, run, lastOver(definition, { last: run.last, done: readDone(streak) }, now, zone))
  if (step.run.settled === run.settled) return { streak, frozen: [] }
  return { streak: withRun(definition, streak, step.run, zone, now), frozen: step.frozen }
}
