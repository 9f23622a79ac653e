import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { EventHead, Reaction } from "../background/reaction.ts"
import { isPlatformEvent } from "../events/event-names.ts"
import type { Ports } from "../ports/ports.ts"
import { together } from "../together.ts"
import { findNewAwards, makeWriteAwards } from "./award-xp.ts"
import { capAwards, findDay, listDays, type WorthyEvent } from "./cap-awards.ts"
import { xpEntriesNote, xpTotalsNote } from "./entry.ts"
import type { XpDb } from "./port.ts"
import { xpLevelsNote } from "./rule.ts"

/** The events of a batch that a rule gives XP for, in their order. */
const findWorthyEvents = Effect.fnUntraced(function* (db: XpDb, events: ReadonlyArray<EventHead>) {
  // Platform events never give XP, also where a rule is older than the name.
  const names = [...new Set(events.map(({ event_name }) => event_name))].filter((name) => !isPlatformEvent(name))
  if (names.length === 0) return []
  const rules = new Map((yield* db.xpRules.listByName(names)).map((rule) => [rule.event_name, rule]))
  return events.flatMap((event): ReadonlyArray<WorthyEvent> => {
    const rule = rules.get(event.event_name)
    return rule === undefined ? [] : [{ event, rule, cause_key: `events/${event.id}`, day: findDay(event) }]
  })
})

/**
 * Gives XP for events by the rules of now [G2.1], with the same number of statements for any number of events. Sums by event
 * name and day are kept also where a rule has no cap: it may get one later.
 */
export const makeXpReaction = (ports: Pick<Ports, "clock" | "ids">): Reaction<BackgroundDb & XpDb> => {
  const writeAwards = makeWriteAwards(ports)
  return {
    name: "xp",
    react: Effect.fnUntraced(function* (db, events, notes) {
      const worthy = yield* findWorthyEvents(db, events)
      if (worthy.length === 0) return []
      // Of the whole batch: a later reaction may award others of these users, and all totals are locked in one order.
      const locked = yield* db.xpTotals.lockMany([...new Set(events.map(({ app_user_id }) => app_user_id))])
      const present = worthy.filter(({ event }) => locked.has(event.app_user_id))
      const [fresh, before, levels] = yield* together([
        findNewAwards(db, present),
        db.xpDays.list(listDays(present)),
        db.xpLevels.list(),
      ])
      const { awards, days } = capAwards(fresh, before)
      const awarded = yield* writeAwards(db, { locked, levels }, awards, { isRanked: true })
      if (days.length > 0) yield* db.xpDays.save(days)
      notes.add(xpEntriesNote, awarded.entries)
      notes.add(xpTotalsNote, [...locked.values(), ...awarded.totals])
      notes.add(xpLevelsNote, [levels])
      return awarded.events
    }),
  }
}
