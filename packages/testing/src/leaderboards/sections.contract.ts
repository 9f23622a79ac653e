import type { TenantDb } from "@hearth/core"
import { leaderboardEntriesSection } from "@hearth/core/leaderboards"
import { Effect } from "effect"
import { sectionContract } from "../exports/sections.contract.ts"
import { writeUser } from "../users/tables.ts"
import { aLeaderboard, aLeaderboardEntry } from "./builders.ts"

const write = Effect.fnUntraced(function* (db: TenantDb) {
  const userId = yield* writeUser(db)
  const mine = { app_user_id: userId }
  const board = aLeaderboard()
  yield* db.leaderboards.insert(board)
  const rows = [0, 0.1, -1e300, 1e21, 5e-324, 123456789.125].map((score, at) =>
    aLeaderboardEntry({
      ...mine,
      leaderboard_id: board.id,
      score,
      rank: at === 0 ? null : at,
      window_start: `2026-01-0${at + 1}`,
    }),
  )
  yield* Effect.forEach(rows, db.leaderboardEntries.insert)
  return { userId, rows }
})

/** What a project promises about the ranks in the file about a user. */
export const leaderboardEntriesSectionContract = sectionContract(leaderboardEntriesSection, write)
