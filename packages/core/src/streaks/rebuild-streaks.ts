import { Effect } from "effect"
import { dayKey, dayOfKey, firstDayOf, periodIndex, periodOfDay } from "../time/periods.ts"
import { localDay } from "../time/zones.ts"
import { formatRules } from "./definition.ts"
import { foldEvents } from "./fold-events.ts"
import { formatKey, type LockedStreak } from "./lock-streaks.ts"
import { mostApartMillis, orderEvents } from "./order-events.ts"
import type { LastDonePeriod, StreaksDb } from "./port.ts"
import { beginFold, endFold, newRun, type Run } from "./run/run.ts"
import type { WrittenStreak } from "./streak-changes.ts"
import type { QualifyingEventRow, StreakGrantRow, StreakPeriodRow } from "./streak-rows.ts"
import { type LastDone, lastOver, utc } from "./timing.ts"
import { frozenPeriods, noteDone, type UserStreak, withRun } from "./user-streak.ts"

/** The most instants with events that are counted again in one transaction. */
const maxEvents = 5_000

/** Before every event: those of the year 1 are refused. */
const beginning = new Date("0001-01-01T00:00:00.000Z")

/** From where on a streak has to be counted again, when events from `earliest` on have come (null: none). */
export const findRebuildStart = ({ definition, streak }: LockedStreak, earliest: Date | null): Date => {
  if (streak.rules !== formatRules(definition)) return beginning
  const starts = [streak.rebuild_from, earliest].filter((at) => at !== null)
  return starts.length === 0 ? beginning : new Date(Math.min(...starts.map((at) => at.getTime())))
}

/** A streak that is counted again from an instant on, and what that goes on from. */
interface Plan extends LockedStreak {
  readonly from: Date
  /** The last done period before; null to begin at the beginning. */
  readonly base: LastDonePeriod | null
  readonly grants: ReadonlyArray<StreakGrantRow>
}

const keyOf = ({ app_user_id, streak_definition_id }: UserStreak) => ({ app_user_id, streak_definition_id })

/** The plan for a streak. Nothing can be gone on from a base without counts, or by other rules. */
const makePlan = (
  locked: LockedStreak,
  from: Date,
  base: LastDonePeriod | undefined,
  grants: ReadonlyArray<StreakGrantRow>,
): Plan =>
  base === undefined || base.count_after === null || from <= beginning
    ? { ...locked, from: beginning, base: null, grants }
    : { ...locked, from, base, grants }

/** The run after the base. The longest count never falls, whatever is counted again [E2]. */
const runAtBase = ({ definition, streak, base }: Plan): Run => {
  const begun = { ...newRun(definition), longest: streak.longest_count }
  if (base === null) return begun
  const last = periodIndex(definition.period, base.period_key)
  return { ...begun, count: base.count_after ?? 0, freezes: base.freezes_after ?? 0, last, settled: last }
}

/** The event of the base. */
const doneAtBase = ({ base }: Plan): LastDone | null =>
  base === null || base.zone === null ? null : { at: base.occurred_at, zone: base.zone }

/**
 * The event of a period that an earlier release has written. Its day is the period's; a week was known by its Monday alone, so
 * there it is the day of the event in that week.
 */
const adoptPeriod = ({ definition, zone }: LockedStreak, row: StreakPeriodRow): QualifyingEventRow => {
  const { app_user_id, streak_definition_id, occurred_at } = row
  const first = dayOfKey(row.period_key)
  const isWeek = definition.period === "weekly" && first === firstDayOf("weekly", periodOfDay("weekly", first))
  const day = isWeek ? Math.max(first, Math.min(first + 6, localDay(occurred_at, zone))) : first
  return { app_user_id, streak_definition_id, occurred_at, day: dayKey(day), zone, events: 1, counted_at: null }
}

/** Events at one instant as one row. */
export const mergeInstants = (events: ReadonlyArray<QualifyingEventRow>): ReadonlyArray<QualifyingEventRow> => {
  const merged = new Map<string, QualifyingEventRow>()
  for (const event of events) {
    const name = `${formatKey(event)}/${event.occurred_at.getTime()}`
    const same = merged.get(name)
    merged.set(name, same === undefined ? event : { ...same, events: same.events + event.events })
  }
  return [...merged.values()]
}

/** What a rebuild makes of one streak: the row, and the periods after its base. */
interface Rebuilt {
  readonly plan: Plan
  readonly streak: UserStreak
  readonly periods: ReadonlyArray<StreakPeriodRow>
}

/**
 * The events of a piece that none of the next piece is counted before. All of them where that is less than half: who has thousands within
 * two days is counted in twice as many pieces at most.
 */
const cutPiece = (events: ReadonlyArray<QualifyingEventRow>): ReadonlyArray<QualifyingEventRow> => {
  const end = (events.at(-1)?.occurred_at.getTime() ?? 0) - mostApartMillis
  const cut = events.filter(({ occurred_at }) => occurred_at.getTime() < end)
  return cut.length < events.length / 2 ? events : cut
}

/**
 * The event from which the next ones of its zone may go on without a rebuild: all after it were counted in that zone too. Null where
 * that is not so, or not known because events since the base were not read. While its user is in another zone none may, whatever came
 * since: then it says which day a move has skipped, until `rezone` forgets it.
 */
const findGoingOn = (plan: Plan, done: LastDone | null, events: ReadonlyArray<QualifyingEventRow>): LastDone | null => {
  const base = doneAtBase(plan)
  if (done === null || done.zone !== (plan.zone ?? utc)) return done
  if (done.at.getTime() === base?.at.getTime() && plan.streak.last_done_at?.getTime() !== base.at.getTime()) return null
  return events.every((event) => event.occurred_at < done.at || (event.zone ?? utc) === done.zone) ? done : null
}

/** Counts the events of a streak from its base on. Where there are more than these, the row says where to go on. */
const countAgain = (plan: Plan, found: ReadonlyArray<QualifyingEventRow>, isComplete: boolean, now: Date): Rebuilt => {
  const { definition, streak, zone, grants } = plan
  const waiting = grants.map((row) => ({ from: periodIndex(definition.period, row.from_period), count: row.count }))
  const events = isComplete ? found : cutPiece(found)
  const folded = foldEvents(definition, beginFold(runAtBase(plan), waiting), doneAtBase(plan), orderEvents(events), now)
  // Nothing is settled after the base, so no event can come before what is.
  if (folded === null) throw new Error("A rebuild has met an event that is before its beginning.")
  const { fold, periods, done } = folded
  const rules = formatRules(definition)
  const lastAt = events.at(-1)?.occurred_at ?? null
  if (!isComplete) {
    const rebuild_from = new Date((lastAt ?? plan.from).getTime() + 1)
    const begun = { ...streak, ...noteDone(findGoingOn(plan, done, events)), rules, rebuild_from }
    return { plan, periods, streak: { ...begun, longest_count: fold.run.longest, expires_at: null } }
  }
  const goingOn = findGoingOn(plan, done, events)
  const through = lastOver(definition, { last: fold.run.last, done: goingOn }, now, zone)
  const { run, frozen } = endFold(definition, fold, through)
  // A broken run is accounted for up to now: what is granted now is for what will be missed.
  const settled = run.count === 0 && run.settled !== null ? Math.max(run.settled, through) : run.settled
  // The run has grants that only later periods than the next may use, because rules or a zone have opened earlier ones again.
  const isAhead = waiting.some((grant) => settled !== null && grant.from > settled + 1)
  return {
    plan,
    periods: [...periods, ...frozenPeriods(definition, streak, frozen, now)],
    streak: {
      ...withRun(definition, { ...streak, ...noteDone(goingOn) }, { ...run, settled }, zone, now),
      last_event_at:
        lastAt === null || (streak.last_event_at !== null && streak.last_event_at > lastAt)
          ? streak.last_event_at
          : lastAt,
      ...noteDone(isAhead ? null : goingOn),
      rules,
      rebuild_from: null,
    },
  }
}

/** A streak to count again, and from where on. */
export interface ToRebuild extends LockedStreak {
  readonly from: Date
}

const makePlans = Effect.fnUntraced(function* (db: StreaksDb, items: ReadonlyArray<ToRebuild>) {
  const keys = items.map(({ streak, from }) => ({ ...keyOf(streak), from }))
  const bases = new Map((yield* db.userStreaks.lastDoneBefore(keys)).map((row) => [formatKey(row), row]))
  const grants = Map.groupBy(yield* db.userStreaks.grants(keys), formatKey)
  const plans = items.map((item) => {
    const name = formatKey(item.streak)
    return makePlan(item, item.from, bases.get(name), grants.get(name) ?? [])
  })
  const ranges = plans.map(({ streak, base }) => ({ ...keyOf(streak), after: base?.period_key ?? null }))
  const uncounted = yield* db.userStreaks.uncountedPeriods(ranges)
  if (uncounted.length > 0) {
    const byKey = new Map(plans.map((plan) => [formatKey(plan.streak), plan]))
    const adopted = uncounted.flatMap((row) => {
      const plan = byKey.get(formatKey(row))
      return plan === undefined ? [] : [adoptPeriod(plan, row)]
    })
    yield* db.qualifyingEvents.add(mergeInstants(adopted))
  }
  return plans
})

/** What a rebuild has done. */
export interface RebuiltStreaks {
  /** How many of the streaks are done. */
  readonly done: number
  /** Those that were written; the last one in part where `done` is less than their number. */
  readonly written: ReadonlyArray<WrittenStreak>
}

/**
 * Counts streaks again from the log of what they have counted, in the order given, at most 5,000 instants in all: the first one
 * in part where it has more. A few statements for all of them.
 */
export const rebuildStreaks = Effect.fnUntraced(function* (
  db: StreaksDb,
  items: ReadonlyArray<ToRebuild>,
  now: Date,
): Effect.fn.Return<RebuiltStreaks> {
  if (items.length === 0) return { done: 0, written: [] }
  const plans = yield* makePlans(db, items)
  const events = yield* db.qualifyingEvents.list(
    plans.map(({ streak, from }) => ({ ...keyOf(streak), from })),
    maxEvents,
  )
  const last = events.at(-1)
  const cut = events.length < maxEvents || last === undefined ? null : formatKey(last)
  const cutAt = cut === null ? plans.length : plans.findIndex(({ streak }) => formatKey(streak) === cut)
  const byKey = Map.groupBy(events, formatKey)
  const reached = plans.slice(0, Math.max(1, cutAt))
  const rebuilt = reached.map((plan, at) => {
    return countAgain(plan, byKey.get(formatKey(plan.streak)) ?? [], at < cutAt, now)
  })
  yield* db.userStreaks.save(rebuilt.map(({ streak }) => streak))
  yield* db.userStreaks.replacePeriods(
    rebuilt.map(({ plan }) => ({ ...keyOf(plan.streak), after: plan.base?.period_key ?? null })),
    rebuilt.flatMap(({ periods }) => periods),
  )
  const written = rebuilt.map(({ plan, streak, periods }) => {
    const before = { definition: plan.definition, streak: plan.streak, zone: plan.zone }
    return { before, after: streak, periods, from: plan.from }
  })
  return { done: cutAt, written }
})
