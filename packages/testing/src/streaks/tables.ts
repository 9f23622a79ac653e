import type { TenantDb } from "@hearth/core"
import type { StreakDefinition, UserStreak } from "@hearth/core/streaks"
import { Effect } from "effect"
import { awkwardInstant, awkwardText, earlyInstant, lateInstant, textsInOrder } from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aStreakDefinition, aUserStreak } from "./builders.ts"

const writeDefinition = (db: TenantDb) => {
  const definition = aStreakDefinition()
  return Effect.as(Effect.orDie(db.streakDefinitions.insert(definition)), definition.id)
}

/** The table of streak definitions. */
export const streakDefinitions: TableCase<TenantDb, StreakDefinition> = {
  name: "streak definitions",
  table: (db) => db.streakDefinitions,
  row: (_, given) => Effect.succeed(aStreakDefinition(given)),
  samples: [
    {
      name: awkwardText,
      description: awkwardText,
      qualifying_event: awkwardText,
      period: "weekly",
      grace_period_hours: 0.1,
      freeze_enabled: true,
      max_freezes: 1000,
      freezes_per_n_events: 1_000_000,
      created_at: awkwardInstant,
    },
    { description: null, freezes_per_n_events: null, grace_period_hours: 8760, period: "daily" },
    { grace_period_hours: 1 / 3, max_freezes: 0 },
  ],
  unique: [],
  refused: [{ freezes_per_n_events: 0 }],
  sorting: { column: "grace_period_hours", ascending: [0, 0.5, 1, 1.5, 9, 10, 8760] },
  nullable: { column: "description", ascending: textsInOrder },
}

/** The table of the streaks of users. */
export const userStreaks: TableCase<TenantDb, UserStreak> = {
  name: "user streaks",
  table: (db) => db.userStreaks,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writeUser(db))
    const streak_definition_id = given.streak_definition_id ?? (yield* writeDefinition(db))
    return aUserStreak({ ...given, app_user_id, streak_definition_id })
  }),
  samples: [
    {
      current_count: 2_147_483_647,
      longest_count: 2_147_483_646,
      freezes_remaining: 1000,
      status: "frozen",
      last_period: "2024-02-29",
      settled_period: "9999-12-31",
      last_event_at: lateInstant,
      last_done_at: earlyInstant,
      last_done_zone: awkwardText,
      rules: awkwardText,
      rebuild_from: lateInstant,
      expires_at: awkwardInstant,
      updated_at: earlyInstant,
    },
    { last_period: null, settled_period: null, last_event_at: null, expires_at: null, status: "active" },
    { last_period: "0001-01-01", settled_period: "1969-12-31", status: "broken" },
  ],
  unique: [["app_user_id", "streak_definition_id"]],
  sorting: { column: "current_count", ascending: [0, 1, 9, 10, 100] },
  nullable: { column: "last_period", ascending: ["0001-01-01", "1999-12-31", "2026-01-01"] },
}
