import {
  type BoardKey,
  type ChangedScore,
  type ChangedStreaks,
  findWindow,
  type LeaderboardPeriod,
  type LeaderboardRow,
  type LeaderboardScores,
  rankStreaksTopic,
  type ScoreAddition,
} from "@hearth/core/leaderboards"
import { deadLetterShape } from "../background/memory-dead-letters.ts"
import { outboxShape } from "../background/memory-outbox-rows.ts"
import type { Draft, Statements } from "../memory/database.ts"
import { insertRow, lockRows, removeRow, replaceRow, rowsOf } from "../memory/rows.ts"
import { sorted } from "../memory/table.ts"
import { userShape } from "../users/memory-shapes.ts"
import { memoryScorePages } from "./memory-pages.ts"
import { leaderboardScoreShape, listScores, type StoredScore } from "./memory-shapes.ts"
import { latest, streakScores, wantedScores } from "./memory-wanted.ts"

const idOf = (board: BoardKey, { app_user_id, window_start }: Pick<ScoreAddition, "app_user_id" | "window_start">) =>
  [board.leaderboard_id, board.version, window_start, app_user_id].join("/")

const stored = (board: BoardKey, { units, ...score }: ScoreAddition): StoredScore => ({
  ...board,
  ...score,
  id: idOf(board, score),
  units: String(units),
})

const add = (draft: Draft, board: BoardKey, addition: ScoreAddition) => {
  const row = stored(board, addition)
  const present = rowsOf(draft, leaderboardScoreShape).get(row.id)
  if (present === undefined) insertRow(draft, leaderboardScoreShape, row)
  else {
    const units = String(BigInt(present.units) + addition.units)
    const reached_at = latest(present.reached_at, addition.reached_at)
    replaceRow(draft, leaderboardScoreShape, present, { ...present, units, reached_at })
  }
}

const isSame = (a: StoredScore | undefined, b: StoredScore | undefined) =>
  a?.units === b?.units && a?.reached_at.getTime() === b?.reached_at.getTime()

/** Makes the scores that `isMeant` what is wanted. Answers those that were changed. */
const replace = (
  draft: Draft,
  board: BoardKey,
  wanted: ReadonlyArray<ScoreAddition>,
  isMeant: (score: StoredScore) => boolean,
): ReadonlyArray<ChangedScore> => {
  const rows = new Map(wanted.map((score) => [idOf(board, score), stored(board, score)]))
  const present = listScores(draft, board).filter(isMeant)
  const gone = present.filter(({ id }) => !rows.has(id))
  for (const row of gone) removeRow(draft, leaderboardScoreShape, row)
  const written = [...rows.values()].filter((row) => {
    const before = rowsOf(draft, leaderboardScoreShape).get(row.id)
    if (isSame(before, row)) return false
    if (before === undefined) insertRow(draft, leaderboardScoreShape, row)
    else replaceRow(draft, leaderboardScoreShape, before, row)
    return true
  })
  return [...gone, ...written].map(({ leaderboard_id, app_user_id, window_start }) => ({
    ...{ leaderboard_id, app_user_id, window_start },
  }))
}

const refresh = (
  draft: Draft,
  period: LeaderboardPeriod,
  boards: ReadonlyArray<BoardKey>,
  users: ReadonlyArray<ChangedStreaks>,
) => {
  const known = users.filter(({ app_user_id }) => rowsOf(draft, userShape).get(app_user_id) !== undefined)
  const starts = new Map(
    known.map(({ app_user_id, from }) => [app_user_id, from === null ? "" : findWindow(period, from)]),
  )
  const isMeant = ({ app_user_id, window_start }: Pick<ScoreAddition, "app_user_id" | "window_start">) => {
    const start = starts.get(app_user_id)
    return start !== undefined && window_start >= start
  }
  const wanted = streakScores(draft, period, (id) => starts.has(id)).filter(isMeant)
  return boards.flatMap((board) => replace(draft, board, wanted, isMeant))
}

const waitsForStreaks = (draft: Draft) => {
  const payloads = [...rowsOf(draft, outboxShape).values(), ...rowsOf(draft, deadLetterShape).values()]
    .filter(({ topic }) => topic === rankStreaksTopic)
    .map(({ payload }) => payload?.["user_ids"] as ReadonlyArray<string> | null)
  return (userId: string) => payloads.some((ids) => ids === null || ids.includes(userId))
}

const countDifferences = (draft: Draft, board: LeaderboardRow): number => {
  const waits = board.metric === "streak_length" ? waitsForStreaks(draft) : () => false
  const isCompared = (userId: string) =>
    !waits(userId) && (!board.filling || (board.filled_through !== null && userId <= board.filled_through))
  const key = { leaderboard_id: board.id, version: board.version }
  const wanted = new Map(wantedScores(draft, board, isCompared).map((score) => [idOf(key, score), stored(key, score)]))
  const present = new Map(
    listScores(draft, key)
      .filter(({ app_user_id }) => isCompared(app_user_id))
      .map((row) => [row.id, row]),
  )
  const names = new Set([...wanted.keys(), ...present.keys()])
  return [...names].filter((name) => !isSame(wanted.get(name), present.get(name))).length
}

/** The scores of users. Nothing is kept of who is disabled: that is read with the scores. */
export const memoryLeaderboardScores = (statements: Statements): LeaderboardScores => ({
  ...memoryScorePages(statements),
  add: (groups) =>
    statements.change((draft) => {
      const named = groups.flatMap(({ boards }) => boards.map(({ leaderboard_id }) => leaderboard_id))
      if (new Set(named).size < named.length) throw new Error("A leaderboard is in two groups.")
      for (const { additions } of groups) {
        const keys = additions.map(({ app_user_id, window_start }) => `${app_user_id}/${window_start}`)
        if (new Set(keys).size < keys.length) throw new Error("A score is added to twice.")
      }
      for (const { boards, additions } of groups)
        for (const board of boards)
          for (const addition of additions)
            if (rowsOf(draft, userShape).get(addition.app_user_id) !== undefined) add(draft, board, addition)
    }),
  refreshStreaks: (groups, users) =>
    statements.change((draft) => groups.flatMap(({ period, boards }) => refresh(draft, period, boards, users))),
  rebuild: (board, userIds) =>
    statements.change((draft) => {
      const users = new Set(userIds)
      const wanted = wantedScores(draft, board, (id) => users.has(id))
      replace(draft, { leaderboard_id: board.id, version: board.version }, wanted, (row) => users.has(row.app_user_id))
    }),
  countDifferences: (board) => statements.query((draft) => countDifferences(draft, board)),
  lockUsersAfter: (after, limit) =>
    statements.query((draft) => {
      const users = sorted(userShape, [...rowsOf(draft, userShape).values()], []).filter(
        ({ id }) => after === null || id > after,
      )
      return lockRows(draft, userShape, users.slice(0, limit)).map(({ id }) => id)
    }),
  removeStale: ({ leaderboard_id, version }, limit) =>
    statements.change((draft) => {
      const stale = [...rowsOf(draft, leaderboardScoreShape).values()]
        .filter((row) => row.leaderboard_id === leaderboard_id && row.version !== version)
        .slice(0, limit)
      for (const row of stale) removeRow(draft, leaderboardScoreShape, row)
      return stale.length === limit
    }),
})
