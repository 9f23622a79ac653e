import { Effect } from "effect"
import type { EventHead, Reaction } from "../background/reaction.ts"
import type { Ports } from "../ports/ports.ts"
import { periodKey } from "../time/periods.ts"
import type { UsersDb } from "../users/port.ts"
import type { StreakDefinition } from "./definition.ts"
import type { StreaksDb } from "./port.ts"
import { rebuildStreaks } from "./rebuild.ts"
import { advance } from "./run.ts"
import type { StreakEvents } from "./streak-events.ts"
import type { StreakKey, StreakPeriodRow } from "./streak-rows.ts"
import { placeEvent } from "./timing.ts"
import { newUserStreak, readRun, type UserStreak, withRun } from "./user-streak.ts"

/** A streak after its events, and the new periods. */
interface Advanced {
  readonly streak: UserStreak
  readonly periods: ReadonlyArray<StreakPeriodRow>
}

const findLater = (a: Date | null, b: Date): Date => (a === null || a < b ? b : a)

/** Counts events in order. Null when one is earlier than what is settled: then the streak must be rebuilt. */
const countInOrder = ({ definition, streak, zone, events }: StreakEvents, now: Date): Advanced | null => {
  const key: StreakKey = { app_user_id: streak.app_user_id, streak_definition_id: definition.id }
  const periods: Array<StreakPeriodRow> = []
  let run = readRun(definition, streak)
  let lastEventAt = streak.last_event_at
  for (const { occurred_at } of events) {
    // A run does not tell whether an earlier period was done in itself or in its grace.
    if (definition.grace_period_hours > 0 && lastEventAt !== null && occurred_at < lastEventAt) return null
    const period = placeEvent(definition, run, occurred_at, zone)
    if (period !== run.last) {
      if (run.settled !== null && period <= run.settled) return null
      const step = advance(definition, run, period)
      run = step.run
      for (const index of step.frozen) {
        periods.push({ ...key, period_key: periodKey(definition.period, index), kind: "freeze", occurred_at: now })
      }
      periods.push({ ...key, period_key: periodKey(definition.period, period), kind: "done", occurred_at })
    }
    lastEventAt = findLater(lastEventAt, occurred_at)
  }
  return { streak: { ...withRun(definition, streak, run, zone, now), last_event_at: lastEventAt }, periods }
}

/** Groups events by definition and user. */
const groupEvents = (
  definitions: ReadonlyArray<StreakDefinition>,
  events: ReadonlyArray<EventHead>,
  zones: ReadonlyMap<string, string | null>,
): ReadonlyMap<string, { definition: StreakDefinition; userId: string; events: Array<EventHead> }> => {
  const byName = Map.groupBy(definitions, (definition) => definition.qualifying_event)
  const groups = new Map<string, { definition: StreakDefinition; userId: string; events: Array<EventHead> }>()
  for (const event of events) {
    if (!zones.has(event.app_user_id)) continue
    for (const definition of byName.get(event.event_name) ?? []) {
      const name = `${definition.id}/${event.app_user_id}`
      const group = groups.get(name)
      if (group === undefined) groups.set(name, { definition, userId: event.app_user_id, events: [event] })
      else group.events.push(event)
    }
  }
  return groups
}

/** Counts events for the streaks that they qualify for [E2], with the same number of statements for any number of events. */
export const makeStreakReaction = ({ clock, ids }: Pick<Ports, "clock" | "ids">): Reaction<StreaksDb & UsersDb> => ({
  name: "streaks",
  react: Effect.fnUntraced(function* (db, events) {
    const definitions = yield* db.streakDefinitions.list({}, [])
    const names = new Set(definitions.map((definition) => definition.qualifying_event))
    const qualifying = events.filter((event) => names.has(event.event_name))
    if (qualifying.length === 0) return []
    const zones = yield* db.users.zones([...new Set(qualifying.map((event) => event.app_user_id))])
    const groups = [...groupEvents(definitions, qualifying, zones).values()]
    const stored = yield* db.userStreaks.lockMany(
      groups.map(({ definition, userId }) => ({ app_user_id: userId, streak_definition_id: definition.id })),
    )
    const known = new Map(stored.map((streak) => [`${streak.streak_definition_id}/${streak.app_user_id}`, streak]))

    const now = clock.now()
    const advanced: Array<Advanced> = []
    const late: Array<StreakEvents> = []
    for (const { definition, userId, events: own } of groups) {
      const streak = known.get(`${definition.id}/${userId}`) ?? newUserStreak(definition, ids.uuid(), userId, now)
      const ordered = own.toSorted((a, b) => a.occurred_at.getTime() - b.occurred_at.getTime())
      const group = { definition, streak, zone: zones.get(userId) ?? null, events: ordered }
      const result = countInOrder(group, now)
      if (result === null) late.push(group)
      else advanced.push(result)
    }
    if (advanced.length > 0) {
      yield* db.userStreaks.save(advanced.map(({ streak }) => streak))
      yield* db.userStreaks.addPeriods(advanced.flatMap(({ periods }) => periods))
    }
    if (late.length > 0) yield* rebuildStreaks(db, late, now)
    return []
  }),
})
