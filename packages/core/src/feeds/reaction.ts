import { Effect } from "effect"
import type { BackgroundDb } from "../background/port.ts"
import type { Reaction } from "../background/reaction.ts"
import { readAhead } from "../background/read-ahead.ts"
import type { Ports } from "../ports/ports.ts"
import { keepGroups, listGroupIds, makeItems } from "./make-items.ts"
import type { FeedsDb } from "./port.ts"

const activeRules = readAhead("feeds.rules", (db: FeedsDb, events) =>
  db.feedRules.listActive([...new Set(events.map(({ event_name }) => event_name))]),
)

/**
 * Makes an item of each event for each active rule of its name, once [I3.1], with the same number of statements for any number of
 * events. It has no rebuild: an item is made when an event is handled, so a new rule makes none of the past.
 */
export const makeFeedReaction = ({ clock, ids }: Pick<Ports, "clock" | "ids">): Reaction<BackgroundDb & FeedsDb> => ({
  name: "feeds",
  readsProperties: true,
  prepare: activeRules.prepare,
  weigh: Effect.fnUntraced(function* (db, events, notes) {
    const byName = Map.groupBy(yield* activeRules.read(db, events, notes), ({ source_event }) => source_event)
    return ({ event_name }) => byName.get(event_name)?.length ?? 0
  }),
  react: Effect.fnUntraced(function* (db, events, notes) {
    const rules = yield* activeRules.read(db, events, notes)
    if (rules.length === 0) return []
    const made = makeItems(events, rules, clock.now())
    const groupIds = listGroupIds(made)
    const groups = groupIds.length === 0 ? new Set<string>() : yield* db.feedItems.findGroups(groupIds)
    yield* db.feedItems.insertNew(made.map((item) => keepGroups(item, groups, ids.uuid())))
    return []
  }),
})
