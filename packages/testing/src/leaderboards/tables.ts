import type { TenantDb } from "@hearth/core"
import type { Leaderboard, LeaderboardEntry } from "@hearth/core/leaderboards"
import { Effect } from "effect"
import { awkwardInstant, awkwardText, lateInstant, textsInOrder } from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aLeaderboard, aLeaderboardEntry } from "./builders.ts"

const writeLeaderboard = (db: TenantDb) => {
  const leaderboard = aLeaderboard()
  return Effect.as(Effect.orDie(db.leaderboards.insert(leaderboard)), leaderboard.id)
}

/** The table of leaderboards. */
export const leaderboards: TableCase<TenantDb, Leaderboard> = {
  name: "leaderboards",
  table: (db) => db.leaderboards,
  row: (_, given) => Effect.sync(() => aLeaderboard(given)),
  samples: [
    { name: awkwardText, metric: "custom", custom_event: awkwardText, period: "monthly", created_at: awkwardInstant },
    { metric: "streak_length", custom_event: null, period: "weekly", max_entries: 1, is_active: false },
  ],
  unique: [],
  sorting: { column: "name", ascending: textsInOrder },
  nullable: { column: "custom_event", ascending: textsInOrder },
}

/** The table of the ranks of users. */
export const leaderboardEntries: TableCase<TenantDb, LeaderboardEntry> = {
  name: "leaderboard entries",
  table: (db) => db.leaderboardEntries,
  row: Effect.fnUntraced(function* (db, given = {}) {
    const app_user_id = given.app_user_id ?? (yield* writeUser(db))
    const leaderboard_id = given.leaderboard_id ?? (yield* writeLeaderboard(db))
    return aLeaderboardEntry({ ...given, app_user_id, leaderboard_id })
  }),
  samples: [
    { window_start: "2024-02-29", score: 0.1, rank: null, reached_at: awkwardInstant },
    { window_start: "9999-12-31", score: -1e300, rank: 2_147_483_647, reached_at: lateInstant },
  ],
  unique: [["leaderboard_id", "window_start", "app_user_id"]],
  sorting: { column: "score", ascending: [-10, -9, 0, 0.5, 9, 10] },
  nullable: { column: "rank", ascending: [1, 2, 9, 10] },
}
