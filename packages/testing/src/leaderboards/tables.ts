import type { TenantDb } from "@hearth/core"
import type { LeaderboardRow } from "@hearth/core/leaderboards"
import { Effect } from "effect"
import { anId } from "../builders.ts"
import { awkwardInstant, awkwardText, textsInOrder } from "../contracts/awkward-values.ts"
import type { TableCase } from "../contracts/table.contract.ts"
import { aLeaderboard } from "./builders.ts"

/** The table of leaderboards. */
export const leaderboards: TableCase<TenantDb, LeaderboardRow> = {
  name: "leaderboards",
  table: (db) => db.leaderboards,
  row: (_, given) => Effect.sync(() => aLeaderboard(given)),
  samples: [
    { name: awkwardText, metric: "custom", custom_event: awkwardText, period: "monthly", created_at: awkwardInstant },
    { metric: "streak_length", custom_event: null, period: "weekly", max_entries: 1, is_active: false },
    { filling: true, version: 2_147_483_647, filled_through: anId() },
  ],
  unique: [],
  refused: [{ max_entries: 0 }],
  sorting: { column: "name", ascending: textsInOrder },
  nullable: { column: "custom_event", ascending: textsInOrder },
}
