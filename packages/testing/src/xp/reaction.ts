import { makeXpWork } from "@hearth/core/xp"
import { Effect } from "effect"
import fc from "fast-check"
import type { ReactionCase } from "../contracts/reaction.contract.ts"
import { memoryIds } from "../memory/ids.ts"

const now = new Date("2026-03-15T12:00:00.000Z")
const clock = { now: () => now }
const names = ["xp ordered", "xp capped", "xp capped low"]

/**
 * XP is given, with caps and without. The cap makes what one event is worth depend on the order, but neither the sum of a day
 * nor the levels that are told.
 */
export const xpReaction: ReactionCase = {
  feature: "xp",
  work: makeXpWork({ clock, ids: memoryIds(clock, 7_927) }),
  setUp: (db) =>
    Effect.andThen(
      db.xpRules.replace(
        names.map((event_name, at) => ({ event_name, amount: 10, daily_cap: [null, 25, 7][at] ?? null })),
      ),
      db.xpLevels.replace([20, 50, 51, 90].map((xp_required) => ({ name: `Level ${xp_required}`, xp_required }))),
    ),
  event: fc.record({
    event_name: fc.constantFrom(...names, "another"),
    occurred_at: fc.integer({ min: 0, max: 3 * 24 }).map((hours) => new Date(now.getTime() - hours * 3_600_000)),
  }),
  read: Effect.fnUntraced(function* (db, id) {
    const { total, highest_total } = yield* db.xpTotals.find(id)
    const entries = yield* db.xpEntries.list({ app_user_id: id }, [])
    const byDay = Map.groupBy(entries, ({ occurred_at }) => occurred_at.toISOString().slice(0, 10))
    return {
      total,
      highest_total,
      sum: entries.reduce((sum, { amount }) => sum + amount, 0),
      days: new Map([...byDay].map(([day, own]) => [day, own.map(({ amount }) => amount).toSorted()])),
    }
  }),
}
