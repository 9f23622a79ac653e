import { Effect, Option, Schema } from "effect"
import type { OutboxHandler } from "../background/work.ts"
import type { Ports } from "../ports/ports.ts"
import { Uuid } from "../schema.ts"
import { periodAt, periodIndex, periodKey } from "../time/periods.ts"
import type { UsersDb } from "../users/port.ts"
import type { StreakDefinition } from "./definition.ts"
import type { StreaksDb } from "./port.ts"
import { fold, type Grant } from "./run.ts"
import type { StreakEvents } from "./streak-events.ts"
import type { StreakGrantRow, StreakPeriodRow } from "./streak-rows.ts"
import { firstOpenPeriod } from "./timing.ts"
import { readRun, withRun } from "./user-streak.ts"

/** The outbox topic of rebuilds. */
export const rebuildTopic = "streaks.rebuild"

/** The definition whose streaks are rebuilt, and the last user who was rebuilt; null before the first. */
const RebuildPayload = Schema.Struct({ definition_id: Uuid, after_user_id: Schema.NullOr(Uuid) })
type RebuildPayload = typeof RebuildPayload.Type

/** How many streaks of a changed definition are rebuilt in one transaction. */
const sliceSize = 500

/** The period that a late event counts for: its own, or an earlier one in whose grace it came and whose run it keeps going. */
const findPeriod = (
  { definition, zone }: StreakEvents,
  done: ReadonlyMap<number, Date>,
  grants: ReadonlyArray<Grant>,
  occurredAt: Date,
  natural: number,
): number => {
  for (let open = firstOpenPeriod(definition, occurredAt, zone); open < natural; open += 1) {
    if (done.has(open)) continue
    const before = [...done.keys()].filter((index) => index < open).sort((a, b) => a - b)
    if (fold(definition, before, grants, open - 1).run.count > 0) return open
  }
  return natural
}

/** Adds late events to the done periods. Answers the newly done ones. */
const addLateEvents = (group: StreakEvents, done: Map<number, Date>, grants: ReadonlyArray<Grant>) => {
  const { definition, zone } = group
  const findNatural = (occurredAt: Date) => periodAt(definition.period, occurredAt, zone)
  const added: Array<number> = []
  const addEvent = (occurredAt: Date): void => {
    const natural = findNatural(occurredAt)
    // An earlier event counts for a later period: the user flew west over midnight. This event repeats a done period [E2].
    if ([...done].some(([index, at]) => index > natural && at <= occurredAt)) return
    const holder = done.get(natural)
    const cameInGrace =
      holder !== undefined && findNatural(holder) > natural && firstOpenPeriod(definition, holder, zone) <= natural
    if (cameInGrace) {
      // The period was not missed after all, so the event that counted for it in its grace can count for another.
      done.set(natural, occurredAt)
      addEvent(holder)
      return
    }
    const period = findPeriod(group, done, grants, occurredAt, natural)
    if (done.has(period)) return
    done.set(period, occurredAt)
    added.push(period)
  }
  for (const { occurred_at } of group.events) addEvent(occurred_at)
  return added
}

const rebuildStreak = (
  group: StreakEvents,
  periods: ReadonlyArray<StreakPeriodRow>,
  grantRows: ReadonlyArray<StreakGrantRow>,
  now: Date,
) => {
  const { definition, streak, zone, events } = group
  const index = (key: string) => periodIndex(definition.period, key)
  const key = { app_user_id: streak.app_user_id, streak_definition_id: definition.id }
  const done = new Map(periods.map((row) => [index(row.period_key), row.occurred_at]))
  const grants = grantRows.map((row) => ({ from: index(row.from_period), count: row.count }))
  const added = addLateEvents(group, done, grants)
  const before = readRun(definition, streak)
  // Settled periods may be open again, because the rules or the user's zone have changed.
  const through = before.settled === null ? null : Math.min(before.settled, firstOpenPeriod(definition, now, zone) - 1)
  const folded = fold(
    definition,
    [...done.keys()].sort((a, b) => a - b),
    grants,
    through,
  )
  const run = {
    ...folded.run,
    // `longest_count` never falls, even when the rules become stricter [E2].
    longest: Math.max(folded.run.longest, before.longest),
    settled: folded.run.settled === null ? null : Math.max(folded.run.settled, through ?? folded.run.settled),
  }
  const lastEventAt = events.reduce(
    (latest, { occurred_at }) => (latest === null || latest < occurred_at ? occurred_at : latest),
    streak.last_event_at,
  )
  return {
    key,
    streak: { ...withRun(definition, streak, run, zone, now), last_event_at: lastEventAt },
    done: added.map((period) => ({
      ...key,
      period_key: periodKey(definition.period, period),
      kind: "done" as const,
      occurred_at: done.get(period) ?? now,
    })),
    freezes: folded.frozen.map((period) => ({
      ...key,
      period_key: periodKey(definition.period, period),
      kind: "freeze" as const,
      occurred_at: now,
    })),
  }
}

/** Rebuilds streaks from all of their periods and grants, with late events added. A few statements for all of them. */
export const rebuildStreaks = Effect.fnUntraced(function* (
  db: StreaksDb,
  groups: ReadonlyArray<StreakEvents>,
  now: Date,
) {
  const keys = groups.map(({ definition, streak }) => ({
    app_user_id: streak.app_user_id,
    streak_definition_id: definition.id,
  }))
  const formatKey = (key: { app_user_id: string; streak_definition_id: string }) =>
    `${key.streak_definition_id}/${key.app_user_id}`
  const periods = Map.groupBy(yield* db.userStreaks.donePeriods(keys), formatKey)
  const grants = Map.groupBy(yield* db.userStreaks.grants(keys), formatKey)
  const folded = groups.map((group, position) => {
    const name = formatKey(keys[position] ?? { app_user_id: "", streak_definition_id: "" })
    return rebuildStreak(group, periods.get(name) ?? [], grants.get(name) ?? [], now)
  })
  yield* db.userStreaks.save(folded.map(({ streak }) => streak))
  yield* db.userStreaks.addPeriods(folded.flatMap(({ done }) => done))
  yield* db.userStreaks.replaceFreezes(
    keys,
    folded.flatMap(({ freezes }) => freezes),
  )
})

/** Rebuilds the streaks of a definition after a change of its rules, one slice of users per call. */
export const makeRebuild =
  ({ clock }: Pick<Ports, "clock">): OutboxHandler<StreaksDb & UsersDb> =>
  (db, payload) =>
    Effect.gen(function* () {
      const { definition_id, after_user_id } = yield* Effect.orDie(Schema.decodeUnknownEffect(RebuildPayload)(payload))
      const found = yield* db.streakDefinitions.find({ id: definition_id })
      if (Option.isNone(found)) return null
      const definition: StreakDefinition = found.value
      const streaks = yield* db.userStreaks.lockOfDefinition(definition.id, after_user_id, sliceSize)
      const zones = yield* db.users.zones(streaks.map((streak) => streak.app_user_id))
      const groups = streaks.map((streak) => ({
        definition,
        streak,
        zone: zones.get(streak.app_user_id) ?? null,
        events: [],
      }))
      yield* rebuildStreaks(db, groups, clock.now())
      const last = streaks.at(-1)
      return last === undefined || streaks.length < sliceSize
        ? null
        : ({ definition_id, after_user_id: last.app_user_id } satisfies RebuildPayload)
    })
