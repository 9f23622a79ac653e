import { makeFeedsWork } from "@hearth/core/feeds"
import { Effect } from "effect"
import fc from "fast-check"
import type { ReactionCase } from "../contracts/reaction.contract.ts"
import { memoryIds } from "../memory/ids.ts"
import { aFeedRule } from "./tables.ts"

const now = new Date("2026-03-15T12:00:00.000Z")
const clock = { now: () => now }

const rules = [
  aFeedRule({ source_event: "feed ordered", action: "learned", target_type: "lesson" }),
  aFeedRule({ source_event: "feed ordered", action: "learned again" }),
  aFeedRule({ source_event: "feed other", action: "did" }),
  aFeedRule({ source_event: "feed off", is_active: false }),
]

/** Every event makes one item per active rule, whenever it is handled. */
export const feedReaction: ReactionCase = {
  feature: "feeds",
  work: makeFeedsWork({ clock, ids: memoryIds(clock, 8_191) }, { keepDays: 180 }),
  setUp: (db) => Effect.forEach(rules, (rule) => Effect.orDie(db.feedRules.insert(rule)), { discard: true }),
  event: fc.record({
    event_name: fc.constantFrom("feed ordered", "feed other", "feed off", "another"),
    occurred_at: fc.integer({ min: -48, max: 72 }).map((hours) => new Date(now.getTime() - hours * 3_600_000)),
    properties: fc.constantFrom({}, { target_id: "a" }, { lesson_id: "b" }, { target_id: 1, lesson_id: "c" }),
  }),
  read: (db, actor_id) =>
    Effect.map(db.feedItems.list({ actor_id }, []), (items) =>
      items.map(({ action, target_id, created_at }) => `${created_at.toISOString()} ${action} ${target_id}`).toSorted(),
    ),
}
