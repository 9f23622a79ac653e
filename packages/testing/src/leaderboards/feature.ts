import type { LeaderboardsDb } from "@hearth/core/leaderboards"
import type { TenantFeature } from "../feature.ts"
import { any, day, fields, instant, keepList, limit, orNull, slice, uuid } from "../memory/arguments.ts"
import { memoryTable } from "../memory/table.ts"
import { memoryLeaderboardScores } from "./memory.ts"
import { leaderboardScoreShape, leaderboardShape } from "./memory-shapes.ts"

const board = fields({ leaderboard_id: uuid })

/** Leaderboards in tests: tables and repositories in memory. */
export const leaderboardsFeature: TenantFeature<LeaderboardsDb> = {
  tenant: {
    shapes: [leaderboardShape, leaderboardScoreShape],
    rules: {
      leaderboardScores: {
        add: [
          keepList(
            fields({ additions: keepList(fields({ app_user_id: uuid, window_start: day, reached_at: instant })) }),
          ),
        ],
        refreshStreaks: [
          keepList(fields({ boards: keepList(board) })),
          keepList(fields({ app_user_id: uuid, from: orNull(instant) })),
        ],
        rebuild: [any, keepList(uuid)],
        lockUsersAfter: [orNull(uuid), limit],
        removeStale: [board, limit],
        page: [fields({ board: fields({ id: uuid }), window_start: day, slice, caller: orNull(uuid) })],
        listAfter: [
          fields({
            ...{ board: fields({ id: uuid }), window_start: day, slice },
            after: orNull(fields({ reached_at: instant, app_user_id: uuid })),
          }),
        ],
        standings: [keepList(fields({ leaderboard_id: uuid, app_user_id: uuid, window_start: day }))],
        listByUser: [uuid],
      },
    },
    make: ({ statements }) => ({
      leaderboards: memoryTable(statements, leaderboardShape),
      leaderboardScores: memoryLeaderboardScores(statements),
    }),
  },
}
