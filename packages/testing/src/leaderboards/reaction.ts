import type { TenantDb } from "@hearth/core"
import { makeLeaderboardsWork, rankStreaksTopic } from "@hearth/core/leaderboards"
import { makeStreakExpiry, makeStreaksWork } from "@hearth/core/streaks"
import { Effect } from "effect"
import fc from "fast-check"
import type { ReactionCase } from "../contracts/reaction.contract.ts"
import { memoryIds } from "../memory/ids.ts"
import { aStreakDefinition } from "../streaks/builders.ts"
import { aLeaderboard } from "./builders.ts"

const now = new Date("2026-03-15T12:00:00.000Z")
const clock = { now: () => now }
const hour = 3_600_000
const work = makeLeaderboardsWork({ clock })

const periods = ["all_time", "daily", "weekly", "monthly"] as const

const boards = periods.flatMap((period) => [
  aLeaderboard({ period, metric: "custom", custom_event: "scored" }),
  aLeaderboard({ period, metric: "custom", custom_event: "scored:points", is_active: false }),
  aLeaderboard({ period, metric: "streak_length" }),
])

/** What leaderboards say of a user. */
const readScores = Effect.fnUntraced(function* (db: TenantDb, userId: string) {
  // A break is stored, and shown, when time was looked at: by whom depends on the order.
  yield* makeStreakExpiry({ clock }).runNext(db)
  yield* work.handlers?.[rankStreaksTopic]?.(db, { user_ids: [userId], from: now.toISOString() }) ?? Effect.void
  const entries = yield* db.leaderboardScores.listByUser(userId)
  return boards.map(({ id, metric, period }) => [
    ...[metric, period],
    entries
      .filter(({ leaderboard_id }) => leaderboard_id === id)
      .map(({ window_start, score, reached_at }) => [window_start, score, reached_at]),
  ])
})

/** Events are counted and summed, and streaks compared, in all windows, also on leaderboards that are not active. */
export const leaderboardsReaction: ReactionCase = {
  feature: "leaderboards",
  work: {
    reactions: [
      ...(makeStreaksWork({ clock, ids: memoryIds(clock, 7_907) }).reactions ?? []),
      ...(work.reactions ?? []),
    ],
  },
  setUp: Effect.fnUntraced(function* (db) {
    yield* Effect.forEach(boards, (board) => Effect.orDie(db.leaderboards.insert(board)))
    yield* Effect.orDie(db.streakDefinitions.insert(aStreakDefinition({ qualifying_event: "scored" })))
    yield* Effect.orDie(db.streakDefinitions.insert(aStreakDefinition({ qualifying_event: "other", period: "weekly" })))
  }),
  event: fc.record({
    event_name: fc.constantFrom("scored", "scored", "other"),
    properties: fc.record({ points: fc.constantFrom(0.1, 0.2, -3, 900_000_000_000, "7", null) }, { requiredKeys: [] }),
    occurred_at: fc.integer({ min: 0, max: 14 * 24 }).map((hours) => new Date(now.getTime() - hours * hour)),
  }),
  read: readScores,
}
