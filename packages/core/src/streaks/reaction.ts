import { Effect } from "effect"
import { batchNote } from "../background/batch-notes.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventHead, Reaction } from "../background/reaction.ts"
import { readAhead } from "../background/read-ahead.ts"
import type { Ports } from "../ports/ports.ts"
import type { UsersDb } from "../users/port.ts"
import { type Counted, countInOrder, makeQualifyingEvents } from "./count-events.ts"
import type { StreakDefinition } from "./definition.ts"
import { formatKey, type LockedKeys, type LockedStreak, lockStreaks } from "./lock-streaks.ts"
import type { StreaksDb } from "./port.ts"
import { rebuildOrLeave } from "./rebuild.ts"
import { findRebuildStart, type ToRebuild } from "./rebuild-streaks.ts"
import { type CountedEvents, findChange, streakChangesNote, type WrittenStreak } from "./streak-changes.ts"
import type { QualifyingEventRow, StreakKey } from "./streak-rows.ts"
import { newUserStreak } from "./user-streak.ts"

// The database writes so many streaks while the next are counted.
const sliceSize = 500
// An event makes so many rows for a definition: the streak as it was and is, the qualifying event and the period.
const rowsOfDefinition = 4

/** The events of one user that count for one definition. */
interface Group extends StreakKey {
  readonly events: ReadonlyArray<EventHead>
}

/** What the reaction to events writes and reads. */
type ReactionDb = BackgroundDb & StreaksDb & UsersDb

const allDefinitions = readAhead("streaks.definitions", (db: StreaksDb) => db.streakDefinitions.list({}, []))

/** What the events of a batch count for, locked. */
const lockedNote = batchNote<{ readonly groups: ReadonlyArray<Group>; readonly locked: LockedKeys }>("streaks.locked")

const groupEvents = (
  definitions: ReadonlyArray<StreakDefinition>,
  events: ReadonlyArray<EventHead>,
): ReadonlyArray<Group> => {
  const byName = Map.groupBy(definitions, (definition) => definition.qualifying_event)
  const counted = events.flatMap((event) =>
    (byName.get(event.event_name) ?? []).map(({ id }) => ({
      key: { app_user_id: event.app_user_id, streak_definition_id: id },
      event,
    })),
  )
  return [...Map.groupBy(counted, ({ key }) => formatKey(key)).values()].flatMap((group) => {
    const [first] = group
    return first === undefined ? [] : [{ ...first.key, events: group.map(({ event }) => event) }]
  })
}

/** The locked streak of a group, a new one where the user has none. Null where the user or the definition is gone. */
const findStreak = (group: Group, locked: LockedKeys, id: () => string, now: Date): LockedStreak | null => {
  const known = locked.streaks.get(formatKey(group))
  if (known !== undefined) return known
  const definition = locked.definitions.get(group.streak_definition_id)
  const zone = locked.zones.get(group.app_user_id)
  if (definition === undefined || zone === undefined) return null
  return { definition, streak: newUserStreak(definition, id(), group.app_user_id, now), zone }
}

/**
 * Counts events for the streaks that they qualify for [E2], with the same number of statements for any number of events. Tells
 * later reactions what has changed.
 */
export const makeStreakReaction = ({ clock, ids }: Pick<Ports, "clock" | "ids">): Reaction<ReactionDb> => ({
  name: "streaks",
  prepare: allDefinitions.prepare,
  weigh: Effect.fnUntraced(function* (db, events, notes) {
    const byName = Map.groupBy(yield* allDefinitions.read(db, events, notes), (each) => each.qualifying_event)
    return ({ event_name }) => (byName.get(event_name)?.length ?? 0) * rowsOfDefinition
  }),
  lock: Effect.fnUntraced(function* (db, events, notes) {
    const groups = groupEvents(yield* allDefinitions.read(db, events, notes), events)
    if (groups.length > 0) notes.add(lockedNote, [{ groups, locked: yield* lockStreaks(db, groups) }])
  }),
  react: Effect.fnUntraced(function* (db, _, notes) {
    const [held] = notes.read(lockedNote)
    if (held === undefined) return []
    const { groups, locked } = held
    const now = clock.now()
    const handled = new Map<string, CountedEvents>()
    const counted: Array<Counted & WrittenStreak> = []
    const late: Array<ToRebuild> = []
    const count = (slice: ReadonlyArray<Group>) => {
      const qualifying: Array<QualifyingEventRow> = []
      const before = counted.length
      for (const group of slice) {
        const streak = findStreak(group, locked, ids.uuid, now)
        if (streak === null) continue
        const own = makeQualifyingEvents(group.streak_definition_id, group.events, streak.zone, now)
        qualifying.push(...own)
        const instants = new Set(own.map(({ occurred_at }) => occurred_at.getTime()))
        handled.set(formatKey(group), { name: group.events[0]?.event_name ?? "", instants })
        const earliest = own[0]?.occurred_at ?? now
        const result = countInOrder(streak, own, now)
        if (result === null) late.push({ ...streak, from: findRebuildStart(streak, earliest) })
        else counted.push({ ...result, before: streak, after: result.streak, from: earliest })
      }
      return { qualifying, written: counted.slice(before) }
    }
    for (let from = 0; from < groups.length; from += sliceSize) {
      const { qualifying, written } = count(groups.slice(from, from + sliceSize))
      yield* db.qualifyingEvents.add(qualifying)
      if (written.length > 0) {
        yield* db.userStreaks.save(written.map(({ streak }) => streak))
        const periods = written.flatMap((each) => each.periods)
        if (periods.length > 0) yield* db.userStreaks.addPeriods(periods)
      }
      // So that it goes out.
      if (from + sliceSize < groups.length) yield* Effect.yieldNow
    }
    const rebuilt = yield* rebuildOrLeave(db, late, now)
    const change = (written: WrittenStreak, goesOn: boolean) => {
      const events = handled.get(formatKey(written.after))
      const found = events === undefined ? null : findChange(written, events, goesOn, now)
      return found === null ? [] : [found]
    }
    notes.add(streakChangesNote, [
      ...counted.flatMap((each) => change(each, true)),
      ...rebuilt.flatMap((each) => change(each, false)),
    ])
    return []
  }),
})
