import type {
  ChangedScore,
  ChangedStreaks,
  LeaderboardRow,
  LeaderboardScores,
  ScoreAdditions,
  StreakBoards,
} from "@hearth/core/leaderboards"
import { rankStreaksTopic } from "@hearth/core/leaderboards"
import { Effect } from "effect"
import type { Statements } from "../connections/statements.ts"
import { makeBindings } from "../sql/bindings.ts"
import { balanceBlocks } from "./balance-blocks.ts"
import { donePeriods, streaksInWindows, streaksNow, wantedScores, windowSql } from "./wanted-scores.ts"

const key = "leaderboard_id, version, window_start, app_user_id"
const columns = `${key}, score, reached_at, is_listed`

const add = `
  with additions as materialized (
    select * from unnest($1::int[], $2::uuid[], $3::date[], $4::numeric[], $5::timestamptz[])
      as a (position, app_user_id, window_start, units, reached_at)
  ), boards as materialized (
    select * from unnest($6::int[], $7::uuid[], $8::int[]) as b (position, leaderboard_id, version)
  )
  insert into leaderboard_scores as e (${columns})
  select b.leaderboard_id, b.version, a.window_start, a.app_user_id, a.units * 0.0001, a.reached_at, not u.is_disabled
  from boards b join additions a using (position) join app_users u on u.id = a.app_user_id
  order by b.leaderboard_id, b.version, a.window_start, a.app_user_id
  on conflict (${key}) do update set score = e.score + excluded.score,
    reached_at = greatest(e.reached_at, excluded.reached_at), is_listed = excluded.is_listed`

/**
 * Makes scores what they are wanted to be. `wanted` has them all; those in the expression `present` that are not wanted go.
 * A row is never both: one statement must not delete and write it.
 */
const replace = (wanted: string, present: string) => `
  wanted as materialized (
    select w.*, not u.is_disabled as is_listed from (${wanted}) w join app_users u on u.id = w.app_user_id
  ), gone as (
    delete from leaderboard_scores e using ${present}
      and not exists (select from wanted w where (w.leaderboard_id, w.version, w.window_start, w.app_user_id)
        = (e.leaderboard_id, e.version, e.window_start, e.app_user_id))
    returning e.leaderboard_id, e.app_user_id, e.window_start
  ), written as (
    insert into leaderboard_scores as e (${columns}) select ${columns} from wanted order by ${key}
    on conflict (${key}) do update
      set score = excluded.score, reached_at = excluded.reached_at, is_listed = excluded.is_listed
    where (e.score, e.reached_at, e.is_listed) is distinct from (excluded.score, excluded.reached_at, excluded.is_listed)
    returning e.leaderboard_id, e.app_user_id, e.window_start
  )
  select * from gone union all select * from written`

const isChanged = (column: string) => `${column} in (select app_user_id from users)`

// A window that begins before the instant has periods of up to a month before it, the first day of which may be a week earlier, and as
// much earlier as the grace is in which they were done.
const longestGrace = "(select ceil(max(grace_period_hours) / 24)::int from streak_definitions)"

const refreshStreaks = `
  with users as materialized (
    select app_user_id, coalesce(since, '-infinity') as since from unnest($1::uuid[], $2::timestamptz[]) as u (app_user_id, since)
  ), boards as materialized (
    select * from unnest($3::uuid[], $4::int[], $5::text[]) as b (leaderboard_id, version, period)
  ), periods as materialized (
    select distinct period from boards where period <> 'all_time'
  ), scores as (
    select 'all_time' as period, * from (${streaksNow(isChanged)}) now
    where exists (select from boards where period = 'all_time')
    union all ${streaksInWindows(
      donePeriods(
        "w.period",
        "users u join streak_events d on d.app_user_id = u.app_user_id cross join periods w",
        `d.period_key >= date_trunc('month', u.since at time zone 'UTC')::date - 15 - ${longestGrace}
         and ${windowSql("w.period", "d.occurred_at")} >= ${windowSql("w.period", "u.since")}`,
      ),
    )}
  ), ${replace(
    `select b.leaderboard_id, b.version, s.window_start, s.app_user_id, s.score, s.reached_at
     from boards b join scores s using (period)`,
    `users u, boards b where e.app_user_id = u.app_user_id and e.leaderboard_id = b.leaderboard_id
       and e.version = b.version and e.window_start >= ${windowSql("b.period", "u.since")}`,
  )}`

const rebuildSql = (board: LeaderboardRow, userIds: ReadonlyArray<string>) => {
  const bindings = makeBindings()
  const users = `${bindings.bind(`{${userIds.join(",")}}`, "uuid[]")}`
  const id = bindings.bind(board.id, "uuid")
  const version = bindings.bind(board.version, "int")
  const { before, scores } = wantedScores(board, bindings, (column) => `${column} = any(${users})`)
  const wanted = `select ${id} as leaderboard_id, ${version} as version, window_start, app_user_id, score, reached_at
    from (${scores}) s`
  const present = `(select 1) as one where e.leaderboard_id = ${id} and e.version = ${version} and e.app_user_id = any(${users})`
  return { text: `with ${[...before, replace(wanted, present)].join(", ")}`, values: bindings.values }
}

// What work that waits in the outbox is still to write is not compared.
const waitsForStreaks = `exists (
    select from (
      select payload from outbox where topic = '${rankStreaksTopic}'
      union all select payload from outbox_dead where topic = '${rankStreaksTopic}'
    ) w where payload -> 'user_ids' = 'null' or payload -> 'user_ids' ? app_user_id::text
  )`

const countSql = (board: LeaderboardRow) => {
  const bindings = makeBindings()
  const conditions = [`(w.score, w.reached_at, w.is_listed) is distinct from (e.score, e.reached_at, e.is_listed)`]
  if (board.metric === "streak_length") conditions.push(`not ${waitsForStreaks}`)
  if (board.filling)
    conditions.push(
      board.filled_through === null ? "false" : `app_user_id <= ${bindings.bind(board.filled_through, "uuid")}`,
    )
  const { before, scores } = wantedScores(board, bindings, () => "true")
  const entries = `select window_start, app_user_id, score, reached_at, is_listed from leaderboard_scores
    where leaderboard_id = ${bindings.bind(board.id, "uuid")} and version = ${bindings.bind(board.version, "int")}`
  const wanted = `select s.*, not u.is_disabled as is_listed from (${scores}) s join app_users u on u.id = s.app_user_id`
  const text = `
    ${before.length === 0 ? "" : `with ${before.join(", ")}`}
    select count(*)::int as differences
    from (${wanted}) w full join (${entries}) e using (window_start, app_user_id)
    where ${conditions.join(" and ")}`
  return { text, values: bindings.values }
}

const countMillis = 60_000

const removeStale = `
  delete from leaderboard_scores where ctid = any(array(
    select ctid from leaderboard_scores where leaderboard_id = $1 and version <> $2 limit $3
  ))`

const removeCounts = (table: string) => `delete from ${table} where leaderboard_id = $1 and version <> $2`

/** The part of the scores that writes them. */
export const makeScoreWrites = (
  statements: Statements,
): Omit<LeaderboardScores, "page" | "listAfter" | "standings" | "listByUser"> => ({
  add: Effect.fnUntraced(function* (groups: ReadonlyArray<ScoreAdditions>) {
    const additions = groups.flatMap((group, position) => group.additions.map((each) => ({ ...each, position })))
    const boards = groups.flatMap((group, position) => group.boards.map((each) => ({ ...each, position })))
    yield* statements.send(add, [
      additions.map(({ position }) => position),
      additions.map(({ app_user_id }) => app_user_id),
      additions.map(({ window_start }) => window_start),
      additions.map(({ units }) => String(units)),
      additions.map(({ reached_at }) => reached_at.toISOString()),
      boards.map(({ position }) => position),
      boards.map(({ leaderboard_id }) => leaderboard_id),
      boards.map(({ version }) => version),
    ])
    yield* balanceBlocks(statements)
  }),
  refreshStreaks: Effect.fnUntraced(function* (
    groups: ReadonlyArray<StreakBoards>,
    users: ReadonlyArray<ChangedStreaks>,
  ) {
    const boards = groups.flatMap(({ period, boards }) => boards.map((each) => ({ ...each, period })))
    const changed = yield* statements.rows<ChangedScore>(refreshStreaks, [
      users.map(({ app_user_id }) => app_user_id),
      users.map(({ from }) => from?.toISOString() ?? null),
      boards.map(({ leaderboard_id }) => leaderboard_id),
      boards.map(({ version }) => version),
      boards.map(({ period }) => period),
    ])
    yield* balanceBlocks(statements)
    return changed
  }),
  rebuild: Effect.fnUntraced(function* (board: LeaderboardRow, userIds: ReadonlyArray<string>) {
    const { text, values } = rebuildSql(board, userIds)
    yield* statements.rows(text, values)
    yield* balanceBlocks(statements)
  }),
  countDifferences: Effect.fnUntraced(function* (board: LeaderboardRow) {
    yield* statements.allow(countMillis)
    const { text, values } = countSql(board)
    const [row] = yield* statements.rows<{ readonly differences: number }>(text, values)
    return row?.differences ?? 0
  }),
  lockUsersAfter: (after, limit) =>
    Effect.map(
      statements.rows<{ readonly id: string }>(
        `select id from app_users where $1::uuid is null or id > $1 order by id limit $2 for no key update`,
        [after, limit],
      ),
      (rows) => rows.map(({ id }) => id),
    ),
  removeStale: Effect.fnUntraced(function* ({ leaderboard_id, version }, limit: number) {
    const removed = yield* statements.count(removeStale, [leaderboard_id, version, limit])
    if (removed === limit) return true
    yield* statements.rows(removeCounts("leaderboard_blocks"), [leaderboard_id, version])
    yield* statements.rows(removeCounts("leaderboard_windows"), [leaderboard_id, version])
    return false
  }),
})
