import { Effect, Option, Schema } from "effect"
import type { EventHead } from "../../background/reaction.ts"
import type { EventsDb } from "../../events/port.ts"
import { InvalidToken } from "../../failure.ts"
import { orFail } from "../../lookup.ts"
import type { Ports } from "../../ports/ports.ts"
import { Count, Day, Timestamp, Uuid } from "../../schema.ts"
import { dayKey, endOfPeriod, firstDayOf, periodAt, periodIndex, periodKey } from "../../time/periods.ts"
import { startOfDay } from "../../time/zones.ts"
import type { UsersDb } from "../../users/port.ts"
import { StreakDefinitionNotFound, UserStreakNotFound } from "../failures.ts"
import type { StreaksDb } from "../port.ts"
import type { QualifyingEventRow, StreakKey } from "../streak-rows.ts"
import { deadlineOf, firstOpenPeriod } from "../timing.ts"
import { awaitsRebuild, bringUpToDate } from "../user-streak.ts"
import type { StreakNow } from "../views.ts"
import { describeReason } from "./timeline-reasons.ts"
import { type WalkedPeriod, type WalkedStep, walkPeriods } from "./walk-periods.ts"

/** How many events of a period are shown. */
const shownEvents = 5
// By grace some events of a period count for others, and are left out.
const readEvents = 2 * shownEvents
// A call that commits meanwhile changes the streak: then it is read anew.
const mostReads = 3

const TimelinePeriod = Schema.Struct({
  /** The first day of the period. */
  period: Day,
  starts_at: Timestamp,
  ends_at: Timestamp,
  kind: Schema.Literals(["done", "frozen", "missed", "open"]),
  count_after: Count,
  freezes_after: Count,
  /** A sentence for the user, by the rules of now. */
  reason: Schema.String,
  /** The first five that count for it. */
  events: Schema.Array(Schema.Struct({ id: Uuid, occurred_at: Timestamp })),
}).annotate({ identifier: "StreakTimelinePeriod" })

const TimelineFreezes = Schema.Struct({
  kind: Schema.Literals(["granted", "earned"]),
  at: Timestamp,
  count: Count,
}).annotate({ identifier: "StreakTimelineFreezes" })

/** A period of a streak and what it made of it, or freezes that came between two of them [G10.1]. */
export const StreakTimelineEntry = Schema.Union([TimelinePeriod, TimelineFreezes])
export type StreakTimelineEntry = typeof StreakTimelineEntry.Type

type TimelineDb = EventsDb & StreaksDb & UsersDb
type Occurred = Pick<EventHead, "id" | "occurred_at">

const isPeriod = (step: WalkedStep): step is WalkedPeriod => "index" in step

/** The last `limit` periods of a walk with the freezes between them, newest first. */
const cutSteps = (steps: ReadonlyArray<WalkedStep>, limit: number): ReadonlyArray<WalkedStep> => {
  const newest = steps.toReversed()
  const periods = newest.flatMap((step, at) => (isPeriod(step) ? [at] : []))
  const last = periods[limit]
  if (last === undefined) return newest
  // Freezes below the last period that is shown came before it.
  return newest.slice(0, (periods[limit - 1] ?? 0) + 1)
}

/** Which of the counted instants are of which period: those that made one, and the first others of its days. */
const makeInstants = (
  { definition }: StreakNow,
  periods: ReadonlyArray<WalkedPeriod>,
  made: ReadonlySet<number>,
  counted: ReadonlyArray<QualifyingEventRow>,
): ReadonlyMap<number, ReadonlyArray<Pick<QualifyingEventRow, "occurred_at" | "events">>> => {
  const natural = Map.groupBy(counted, ({ day }) => periodIndex(definition.period, day))
  const times = new Map(counted.map(({ occurred_at, events }) => [occurred_at.getTime(), events]))
  return new Map(
    periods.flatMap(({ index, done_at }) => {
      if (done_at === null) return []
      const maker = { occurred_at: done_at, events: times.get(done_at.getTime()) ?? 1 }
      const others = (natural.get(index) ?? []).filter(({ occurred_at }) => !made.has(occurred_at.getTime()))
      const all = [maker, ...others].toSorted((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime())
      return [[index, all.slice(0, shownEvents)] as const]
    }),
  )
}

/** The first of what was counted on the days of done periods. */
const readCounted = (db: TimelineDb, key: StreakKey, { definition }: StreakNow, done: ReadonlyArray<WalkedPeriod>) => {
  const spans = done.map(({ index }) => ({
    from: periodKey(definition.period, index),
    through: dayKey(firstDayOf(definition.period, index + 1) - 1),
  }))
  return spans.length === 0 ? Effect.succeed([]) : db.qualifyingEvents.firstOfSpans(key, spans, readEvents)
}

/** The first events of done periods, by the number of the period. */
const readOccurred = Effect.fnUntraced(function* (
  db: TimelineDb,
  key: StreakKey,
  now: StreakNow,
  done: ReadonlyArray<WalkedPeriod>,
  made: ReadonlySet<number>,
  counted: ReadonlyArray<QualifyingEventRow>,
) {
  const { definition } = now
  const instants = makeInstants(now, done, made, counted)
  const wanted = [...new Map([...instants.values()].flat().map((each) => [each.occurred_at.getTime(), each])).values()]
  const found = yield* db.events.listAt(
    key.app_user_id,
    wanted.map(({ occurred_at }) => occurred_at),
    definition.qualifying_event,
    shownEvents,
  )
  const byInstant = Map.groupBy(found, ({ occurred_at }) => occurred_at.getTime())
  return new Map(
    [...instants].map(([index, all]): readonly [number, ReadonlyArray<Occurred>] => {
      const events = all.flatMap(({ occurred_at, events: times }) =>
        (byInstant.get(occurred_at.getTime()) ?? []).slice(0, times),
      )
      return [index, events.slice(0, shownEvents).map(({ id, occurred_at }) => ({ id, occurred_at }))]
    }),
  )
})

/** The streak as it is at `now` with the steps to it, newest first. Null where the user has not begun. */
const readSteps = Effect.fnUntraced(function* (db: TimelineDb, key: StreakKey, limit: number, at: Date) {
  const user = Option.getOrNull(yield* db.users.find({ id: key.app_user_id }))
  const definition = Option.getOrNull(yield* db.streakDefinitions.find({ id: key.streak_definition_id }))
  const stored = Option.getOrNull(yield* db.userStreaks.find({ ...key }))
  if (user === null || definition === null || stored === null) return null
  const zone = user.timezone
  const now: StreakNow = { definition, ...bringUpToDate(definition, stored, zone, at) }
  const current = periodAt(definition.period, at, zone)
  // By grace an event of the first days can count for a period before them.
  const before = Math.ceil(definition.grace_period_hours / 24) + 1
  const rows = yield* db.userStreaks.periodsFrom(key, periodKey(definition.period, current - limit + 1 - before))
  const last = rows.at(-1)
  const through = Math.max(current, last === undefined ? current : periodIndex(definition.period, last.period_key))
  const { settled_period } = now.streak
  const settled = settled_period === null ? null : periodIndex(definition.period, settled_period)
  const open = Math.max(
    firstOpenPeriod(definition, at, zone),
    settled === null ? Number.NEGATIVE_INFINITY : settled + 1,
  )
  const grants = yield* db.userStreaks.grants([key])
  const steps = walkPeriods({ definition, rows, frozen: now.frozen, grants, open, settled, through, wanted: limit })
  const made = steps.flatMap((step) => (isPeriod(step) && step.done_at !== null ? [step.done_at.getTime()] : []))
  // A period that a move has skipped has no time of its own: it goes with the next one.
  const until = settled !== null && open > settled + 1 ? now.streak.expires_at : null
  return { now, stored, zone, steps: cutSteps(steps, limit), made: new Set(made), open, until }
})

/** The steps, together with a streak that did not change while they were read. */
const readSteady = Effect.fnUntraced(function* (db: TimelineDb, key: StreakKey, limit: number, at: Date) {
  let found = yield* readSteps(db, key, limit, at)
  for (let reads = 1; found !== null && reads < mostReads; reads += 1) {
    const again = Option.getOrNull(yield* db.userStreaks.find({ ...key }))
    const isSteady = again !== null && JSON.stringify(again) === JSON.stringify(found.stored)
    if (isSteady) break
    found = yield* readSteps(db, key, limit, at)
  }
  return found
})

/**
 * The newest period with what the streak itself holds. Its count follows from the periods, unless it waits for a rebuild: then
 * it is shown as it was. Its freezes too, unless the period of the rules has changed between a grant and its first period.
 */
const readHeld = ({ definition, streak }: StreakNow, steps: ReadonlyArray<WalkedStep>, newest: WalkedPeriod) => {
  const count_after = awaitsRebuild(definition, streak) ? streak.current_count : newest.count_after
  const above = steps.slice(0, steps.indexOf(newest))
  const granted = above.reduce((sum, step) => sum + (!isPeriod(step) && step.kind === "granted" ? step.count : 0), 0)
  return { ...newest, count_after, freezes_after: Math.max(0, streak.freezes_remaining - granted) }
}

/**
 * Why a streak is what it is [G10.1]: its last periods, newest first, and the freezes between them. Null where the user has
 * not begun it. The newest count is the one that a reader sees at `at`.
 */
export const readTimeline = Effect.fnUntraced(function* (db: TimelineDb, key: StreakKey, limit: number, at: Date) {
  const found = yield* readSteady(db, key, limit, at)
  if (found === null) return null
  const { now, zone, steps, made, open, until } = found
  const { definition } = now
  const periods = steps.filter(isPeriod)
  const done = periods.filter(({ kind }) => kind === "done")
  const counted = yield* readCounted(db, key, now, done)
  const events = yield* readOccurred(db, key, now, done, made, counted)
  const days = new Map(counted.map(({ occurred_at, day }) => [occurred_at.getTime(), day]))
  const [newest] = periods
  const held = newest === undefined ? null : readHeld(now, steps, newest)
  return steps.map((step): StreakTimelineEntry => {
    if (!isPeriod(step)) return step
    const period = step === newest && held !== null ? held : step
    const { index, kind, count_after, freezes_after } = period
    const ends_at = endOfPeriod(definition.period, index, zone)
    const deadline = (index === open ? until : null) ?? deadlineOf(definition, index, zone)
    return {
      period: periodKey(definition.period, index),
      starts_at: startOfDay(firstDayOf(definition.period, index), zone),
      ends_at,
      ...{ kind, count_after, freezes_after },
      reason: describeReason({
        ...{ definition, period, zone, ends_at, deadline },
        day: (period.done_at === null ? undefined : days.get(period.done_at.getTime())) ?? null,
      }),
      events: events.get(index) ?? [],
    }
  })
})

/** Timelines of streaks, for their users and for developers. */
export const makeTimelines = ({ clock, tenants }: Pick<Ports<TimelineDb>, "clock" | "tenants">) => {
  const read = Effect.fnUntraced(function* (db: TimelineDb, key: StreakKey, limit: number) {
    const { app_user_id, streak_definition_id } = key
    const entries = yield* readTimeline(db, { app_user_id, streak_definition_id }, limit, clock.now())
    if (entries === null) {
      yield* orFail(db.streakDefinitions.find({ id: key.streak_definition_id }), StreakDefinitionNotFound)
    }
    return entries
  })
  return {
    /**
     * The timeline of a user's streak, the last `limit` periods, the newest first [G10.1]. `STREAK_DEFINITION_NOT_FOUND`;
     * `USER_STREAK_NOT_FOUND` for a user who has not begun it.
     */
    ofUser: (projectId: string, key: StreakKey, limit: number) =>
      tenants.read(projectId, (db) =>
        Effect.flatMap(read(db, key, limit), (entries) =>
          entries === null ? Effect.fail(new UserStreakNotFound()) : Effect.succeed(entries),
        ),
      ),

    /**
     * The timeline of the caller's own streak; none where it has not begun [G10.1]. `STREAK_DEFINITION_NOT_FOUND`; `INVALID_TOKEN` for a
     * user who is gone.
     */
    own: (projectId: string, key: StreakKey, limit: number) =>
      tenants.read(projectId, (db) =>
        Effect.gen(function* () {
          yield* orFail(db.users.find({ id: key.app_user_id }), InvalidToken)
          return (yield* read(db, key, limit)) ?? []
        }),
      ),
  }
}
