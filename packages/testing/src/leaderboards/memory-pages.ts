import { fromUnitsOfSum } from "@hearth/core/currencies"
import {
  type BoardPage,
  type BoardQuery,
  type BoardReading,
  type BoardStretch,
  type ChangedScore,
  centreOffset,
  compareStandings,
  type LeaderboardEntry,
  type LeaderboardScores,
  type ListedScore,
  rankStandings,
} from "@hearth/core/leaderboards"
import { Struct } from "effect"
import type { Draft, Statements } from "../memory/database.ts"
import { rowsOf } from "../memory/rows.ts"
import { pageOf } from "../memory/table.ts"
import { leaderboardScoreShape, leaderboardShape, listWindow } from "./memory-shapes.ts"

/** A window with the rank of each entry. */
const rankWindow = (
  draft: Draft,
  board: { readonly id: string; readonly version: number; readonly max_entries: number },
  window_start: string,
) => {
  const rows = listWindow(draft, { leaderboard_id: board.id, version: board.version }, window_start)
  const ranks = rankStandings(rows, board.max_entries)
  return rows.map((row, at) => ({ ...row, rank: ranks[at] ?? null, score: fromUnitsOfSum(row.units) }))
}

const placeOf = ({ leaderboard_id, window_start, app_user_id }: ChangedScore) =>
  `${leaderboard_id}${window_start}${app_user_id}`

const comparePlaces = (a: ChangedScore, b: ChangedScore) => (placeOf(a) < placeOf(b) ? -1 : 1)

const findStart = (position: number, { slice, around }: BoardQuery, total: number) =>
  around ? (position === -1 ? 0 : centreOffset(position, slice.limit, total)) : slice.offset

type Ranked = ReturnType<typeof rankWindow>[number]

const describe = ({
  app_user_id,
  score,
  reached_at,
  rank,
  user: { display_name, avatar_url },
}: Ranked): ListedScore => ({
  ...{ app_user_id, score, reached_at, rank, display_name, avatar_url },
})

const readOn = (draft: Draft, { board, window_start, slice, after }: BoardReading): BoardStretch => {
  const ranked = rankWindow(draft, board, window_start)
  const { rows } = pageOf(
    ranked.filter((row) => after === null || compareStandings(after, row) < 0),
    slice,
  )
  const last = rows.at(-1)
  return {
    rows: rows.map(describe),
    total: ranked.length,
    last: last === undefined ? null : Struct.pick(last, ["units", "reached_at", "app_user_id"]),
  }
}

const readPage = (draft: Draft, query: BoardQuery): BoardPage => {
  const { board, window_start, slice, caller } = query
  const ranked = rankWindow(draft, board, window_start)
  const position = ranked.findIndex(({ app_user_id }) => app_user_id === caller)
  const offset = findStart(position, query, ranked.length)
  const own = ranked[position]
  return {
    rows: ranked.slice(offset, offset + slice.limit).map(describe),
    total: ranked.length,
    offset,
    me: own === undefined ? null : { rank: own.rank, score: own.score },
  }
}

const entriesOf = (draft: Draft, userId: string): ReadonlyArray<LeaderboardEntry> =>
  [...rowsOf(draft, leaderboardScoreShape).values()]
    .filter(({ app_user_id }) => app_user_id === userId)
    .flatMap(({ leaderboard_id, version, window_start, units, reached_at }) => {
      const board = rowsOf(draft, leaderboardShape).get(leaderboard_id)
      if (board?.version !== version) return []
      const own = rankWindow(draft, board, window_start).find(({ app_user_id }) => app_user_id === userId)
      const score = fromUnitsOfSum(BigInt(units))
      return [{ leaderboard_id, app_user_id: userId, window_start, score, rank: own?.rank ?? null, reached_at }]
    })
    .toSorted(comparePlaces)

/** The part of the scores that reads ranks. */
export const memoryScorePages = (
  statements: Statements,
): Pick<LeaderboardScores, "page" | "listAfter" | "standings" | "listByUser"> => ({
  page: (query) => statements.query((draft) => readPage(draft, query)),
  listAfter: (query) => statements.query((draft) => readOn(draft, query)),
  standings: (keys) =>
    statements.query((draft) =>
      keys.toSorted(comparePlaces).flatMap(({ leaderboard_id, app_user_id, window_start }) => {
        const board = rowsOf(draft, leaderboardShape).get(leaderboard_id)
        const own =
          board === undefined
            ? undefined
            : rankWindow(draft, board, window_start).find((row) => row.app_user_id === app_user_id)
        return own === undefined ? [] : [{ leaderboard_id, app_user_id, score: own.score, rank: own.rank }]
      }),
    ),
  listByUser: (userId) => statements.query((draft) => entriesOf(draft, userId)),
})
