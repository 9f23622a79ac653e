import { Text } from "@hearth/core"
import { type BoardKey, compareStandings, LeaderboardEntry, LeaderboardRow } from "@hearth/core/leaderboards"
import { Schema, Struct } from "effect"
import type { Draft } from "../memory/database.ts"
import { rowsOf } from "../memory/rows.ts"
import { describeTable } from "../memory/shape.ts"
import { userShape } from "../users/memory-shapes.ts"

/** The table of leaderboards. */
export const leaderboardShape = describeTable("leaderboards", LeaderboardRow, {
  checks: [({ max_entries }) => max_entries > 0],
})

/** A score as stored: in ten-thousandths, as text. The id is made of the key. */
const StoredScore = Schema.Struct({
  id: Text,
  ...Struct.pick(LeaderboardEntry.fields, ["leaderboard_id", "app_user_id", "window_start", "reached_at"]),
  version: LeaderboardRow.fields.version,
  units: Text,
})
export type StoredScore = typeof StoredScore.Type

/** The table of the scores of users. */
export const leaderboardScoreShape = describeTable("leaderboard scores", StoredScore, {
  parents: { leaderboard_id: "leaderboards", app_user_id: "users" },
})

/** The scores of a leaderboard that are read. */
export const listScores = (draft: Draft, { leaderboard_id, version }: BoardKey): ReadonlyArray<StoredScore> =>
  [...rowsOf(draft, leaderboardScoreShape).values()].filter(
    (row) => row.leaderboard_id === leaderboard_id && row.version === version,
  )

/** The rows of a window in their order, without those of disabled users. */
export const listWindow = (draft: Draft, board: BoardKey, window_start: string) =>
  listScores(draft, board)
    .filter((row) => row.window_start === window_start)
    .flatMap((row) => {
      const user = rowsOf(draft, userShape).get(row.app_user_id)
      return user === undefined || user.is_disabled ? [] : [{ ...row, units: BigInt(row.units), user }]
    })
    .toSorted(compareStandings)
