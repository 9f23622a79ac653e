import { makeStreaksWork, readStreaksByUser } from "@hearth/core/streaks"
import { Effect, Option } from "effect"
import fc from "fast-check"
import type { ReactionCase } from "../contracts/reaction.contract.ts"
import { memoryIds } from "../memory/ids.ts"
import { aStreakDefinition } from "./builders.ts"

const now = new Date("2026-03-15T12:00:00.000Z")
const clock = { now: () => now }
const hour = 3_600_000

const definitions = [
  { name: "daily" },
  { name: "with freezes", freeze_enabled: true, max_freezes: 2 },
  { name: "with earned freezes", freeze_enabled: true, max_freezes: 2, freezes_per_n_events: 2 },
  { name: "weekly", period: "weekly", freeze_enabled: true },
  { name: "with grace", grace_period_hours: 30 },
  {
    name: "with grace and freezes",
    grace_period_hours: 6,
    freeze_enabled: true,
    max_freezes: 2,
    freezes_per_n_events: 2,
  },
  { name: "weekly with grace", period: "weekly", grace_period_hours: 48 },
] as const

/** Streaks are counted: daily and weekly ones, with freezes, with grace and without. */
export const streaksReaction: ReactionCase = {
  feature: "streaks",
  work: makeStreaksWork({ clock, ids: memoryIds(clock, 7_919) }),
  setUp: (db) =>
    Effect.forEach(
      definitions,
      (given) =>
        Effect.orDie(db.streakDefinitions.insert(aStreakDefinition({ ...given, qualifying_event: "ordered" }))),
      { discard: true },
    ),
  event: fc.record({
    event_name: fc.constantFrom("ordered", "ordered", "another"),
    occurred_at: fc.integer({ min: 0, max: 14 * 24 }).map((hours) => new Date(now.getTime() - hours * hour)),
  }),
  read: Effect.fnUntraced(function* (db, id) {
    const { timezone } = Option.getOrThrow(yield* db.users.find({ id }))
    const streaks = (yield* readStreaksByUser(db, [{ id, timezone }], now)).get(id) ?? []
    const periods = Map.groupBy(yield* db.userStreaks.recentPeriods(id, 100), (period) => period.streak_definition_id)
    // The longest count never falls, so it may be from before a late event has moved a freeze.
    return streaks
      .map(({ definition, streak }) => ({
        name: definition.name,
        count: streak.current_count,
        freezes: streak.freezes_remaining,
        status: streak.status,
        expires_at: streak.expires_at,
        // Which days were done, by which event. What time has frozen since is written when it is looked at.
        done: (periods.get(definition.id) ?? [])
          .filter(({ kind }) => kind === "done")
          .map(({ period_key, occurred_at, count_after }) => [period_key, occurred_at, count_after]),
      }))
      .filter(({ name }) => definitions.some((given) => given.name === name))
  }),
}
