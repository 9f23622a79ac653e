import { makeAchievementsWork } from "@hearth/core/achievements"
import { Effect } from "effect"
import fc from "fast-check"
import type { ReactionCase } from "../contracts/reaction.contract.ts"
import { memoryIds } from "../memory/ids.ts"
import { anAchievement } from "./builders.ts"

const now = new Date("2026-03-15T12:00:00.000Z")
const clock = { now: () => now }
const prefix = "reaction."

// Criteria that stay true once they are: of others, which are unlocked depends on the order [G1.2].
const criteria = {
  two: { all: [{ event: "ach ordered", count: 2 }] },
  five: { all: [{ event: "ach ordered", count: 5 }] },
  either: {
    any: [
      { event: "ach ordered", count: 4 },
      { event: "ach other", count: 2 },
    ],
  },
  both: {
    all: [
      { event: "ach ordered", count: 1 },
      { event: "ach other", count: 1 },
    ],
  },
  any: { all: [] },
  // It mentions no event, so any is enough to consider it.
  chain: { all: [{ field: `achievements.${prefix}five`, op: "eq", value: true }] },
  inactive: { all: [] },
}

/** Achievements are unlocked by counts of events, and by others that are unlocked. */
export const achievementsReaction: ReactionCase = {
  feature: "achievements",
  work: makeAchievementsWork({ clock, ids: memoryIds(clock, 7_937) }),
  setUp: (db) =>
    Effect.forEach(
      Object.entries(criteria),
      ([name, tree]) =>
        Effect.orDie(
          db.achievements.insert(
            anAchievement({ key: prefix + name, criteria: tree, xp_reward: 7, is_active: name !== "inactive" }),
          ),
        ),
      { discard: true },
    ),
  event: fc.record({
    event_name: fc.constantFrom("ach ordered", "ach ordered", "ach other", "another"),
    occurred_at: fc.integer({ min: 0, max: 72 }).map((hours) => new Date(now.getTime() - hours * 3_600_000)),
  }),
  read: Effect.fnUntraced(function* (db, id) {
    const unlocks = yield* db.userAchievements.list({ app_user_id: id }, [])
    const all = new Map((yield* db.achievements.list({}, [])).map((each) => [each.id, each.key]))
    const entries = yield* db.xpEntries.list({ app_user_id: id, source: "achievement" }, [])
    return {
      keys: unlocks.map(({ achievement_id }) => all.get(achievement_id)).toSorted(),
      total: (yield* db.xpTotals.find(id)).total,
      entries: entries.map(({ reference_id, amount }) => [all.get(reference_id ?? ""), amount].join()).toSorted(),
    }
  }),
}
