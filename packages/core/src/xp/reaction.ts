import { Effect } from "effect"
import { batchNote } from "../background/batch-notes.ts"
import type { BackgroundDb } from "../background/port.ts"
import type { EventHead, Reaction } from "../background/reaction.ts"
import { readAhead } from "../background/read-ahead.ts"
import { isPlatformEvent } from "../events/event-names.ts"
import type { Ports } from "../ports/ports.ts"
import { together } from "../together.ts"
import { findNewAwards, makeWriteAwards } from "./award-xp.ts"
import { capAwards, findDay, listDays, type WorthyEvent } from "./cap-awards.ts"
import { type XpDay, type XpTotal, xpEntriesNote, xpTotalsNote } from "./entry.ts"
import type { XpDb } from "./port.ts"
import { type XpLevel, type XpRule, xpLevelsNote } from "./rule.ts"

/** The rules for the names of events, and the levels. Platform events never give XP, also where a rule is older than the name. */
const settings = readAhead("xp.settings", (db: XpDb, events) => {
  const names = [...new Set(events.map(({ event_name }) => event_name))].filter((name) => !isPlatformEvent(name))
  return names.length === 0 ? noSettings : together([db.xpRules.listByName(names), db.xpLevels.list()])
})

const noSettings = Effect.succeed<readonly [ReadonlyArray<XpRule>, ReadonlyArray<XpLevel>]>([[], []])

/** What XP is given for in a batch, and what was read of it under the locks. */
interface Worth {
  readonly levels: ReadonlyArray<XpLevel>
  readonly locked: ReadonlyMap<string, XpTotal>
  /** The events whose XP is not in the ledger. */
  readonly fresh: ReadonlyArray<WorthyEvent>
  readonly before: ReadonlyArray<XpDay>
}

const worthNote = batchNote<Worth>("xp.worth")

/** The events of a batch that a rule gives XP for, in their order. */
const findWorthyEvents = (rules: ReadonlyArray<XpRule>, events: ReadonlyArray<EventHead>) => {
  const byName = new Map(rules.map((rule) => [rule.event_name, rule]))
  return events.flatMap((event): ReadonlyArray<WorthyEvent> => {
    const rule = byName.get(event.event_name)
    return rule === undefined ? [] : [{ event, rule, cause_key: `events/${event.id}`, day: findDay(event) }]
  })
}

/**
 * Gives XP for events by the rules of now [G2.1], with the same number of statements for any number of events. Sums by event
 * name and day are kept also where a rule has no cap: it may get one later.
 */
export const makeXpReaction = (ports: Pick<Ports, "clock" | "ids">): Reaction<BackgroundDb & XpDb> => {
  const writeAwards = makeWriteAwards(ports)
  return {
    name: "xp",
    prepare: settings.prepare,
    lock: Effect.fnUntraced(function* (db, events, notes) {
      const [rules, levels] = yield* settings.read(db, events, notes)
      const worthy = findWorthyEvents(rules, events)
      if (worthy.length === 0) return
      const [locked, fresh, before] = yield* together([
        // Of the whole batch: a later reaction may award others of these users, and all totals are locked in one order.
        db.xpTotals.lockMany([...new Set(events.map(({ app_user_id }) => app_user_id))]),
        findNewAwards(db, worthy),
        db.xpDays.list(listDays(worthy)),
      ])
      notes.add(worthNote, [{ levels, locked, fresh, before }])
    }),
    react: Effect.fnUntraced(function* (db, _, notes) {
      const [worth] = notes.read(worthNote)
      if (worth === undefined) return []
      const { levels, locked, fresh, before } = worth
      const present = fresh.filter(({ event }) => locked.has(event.app_user_id))
      const { awards, days } = capAwards(present, before)
      const awarded = yield* writeAwards(db, { locked, levels }, awards, { isRanked: true })
      if (days.length > 0) yield* db.xpDays.save(days)
      notes.add(xpEntriesNote, awarded.entries)
      notes.add(xpTotalsNote, [...locked.values(), ...awarded.totals])
      notes.add(xpLevelsNote, [levels])
      return awarded.events
    }),
  }
}
