import { allTime, type Standing } from "@hearth/core/leaderboards"
import { Effect } from "effect"
import { connectTo } from "../harness/database.ts"
import type { Figure } from "../harness/figure.ts"
import { openInProcess } from "../harness/in-process.ts"

const users = Number(process.env["BENCH_USERS"] ?? 1_000_000)
const rounds = 300

const fillUsers = `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at,
    last_seen_at, is_disabled, created_at, updated_at)
  select gen_random_uuid(), 'User ' || n, 'anon_' || n, '[]', '{}', now(), now(), false, now(), now()
  from generate_series(1, ${users}) n`

// Without triggers and foreign keys, which would take minutes: the counts are made afterwards, in blocks of a thousand.
const fillScores = (board: string) => [
  "set session_replication_role = replica",
  `insert into leaderboard_scores
     (leaderboard_id, version, window_start, app_user_id, score, reached_at, is_listed)
   select '${board}', 0, '${allTime}', id, round((random() * 1000000)::numeric, 4),
     now() - random() * interval '30 days', true from app_users`,
  `insert into leaderboard_windows values ('${board}', 0, '${allTime}', ${users})`,
  `insert into leaderboard_blocks
   select leaderboard_id, version, window_start, case when n = 0 then '-Infinity' else deficit end,
     case when n = 0 then '-infinity' else reached_at end, app_user_id, least(1000, ${users} - n), n = 0
   from (
     select *, row_number() over (order by deficit, reached_at, app_user_id) - 1 as n from leaderboard_scores
   ) s where n % 1000 = 0`,
  "reset session_replication_role",
]

/** The bound of a page: the same entries by one statement over the same index, without ranks, total or the caller. */
const plainPage = `
  select s.app_user_id, s.score, s.reached_at, u.display_name, u.avatar_url
  from leaderboard_scores s join app_users u on u.id = s.app_user_id
  where s.leaderboard_id = $1 and s.version = 0 and s.window_start = $2 and s.is_listed
  order by s.deficit, s.reached_at, s.app_user_id limit 50`

// The same table without triggers.
const plainTable = [
  "create table plain_scores (like leaderboard_scores including all)",
  "analyze app_users",
  "insert into plain_scores (leaderboard_id, version, window_start, app_user_id, score, reached_at, is_listed)" +
    " select leaderboard_id, version, window_start, app_user_id, score, reached_at, is_listed from leaderboard_scores",
  "vacuum analyze",
]

const upsert = (table: string) => `
  insert into ${table} as e (leaderboard_id, version, window_start, app_user_id, score, reached_at, is_listed)
  values ($1, 0, $2, $3, 1000, now(), true)
  on conflict (leaderboard_id, version, window_start, app_user_id)
  do update set score = e.score + excluded.score, reached_at = excluded.reached_at`

/** How long calls took, in milliseconds, made in turns so that a noisy machine is noisy for all. */
const measure = async (calls: ReadonlyArray<(round: number) => Promise<unknown>>) => {
  const times = calls.map((): Array<number> => [])
  for (let round = -20; round < rounds; round += 1)
    for (const [index, call] of calls.entries()) {
      const began = performance.now()
      await call(Math.max(0, round))
      if (round >= 0) times[index]?.push(performance.now() - began)
    }
  return times.map((taken) => {
    const sorted = taken.toSorted((a, b) => a - b)
    return { median: sorted[sorted.length >> 1] ?? 0, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 }
  })
}

interface Times {
  readonly median: number
  readonly p95: number
}

const times = (name: string, ours: Times, reference: Times, most: number, what: string): Figure => ({
  name,
  measured: `p95 ${ours.p95.toFixed(2)} ms = ${(ours.p95 / reference.p95).toFixed(2)} × (median ${ours.median.toFixed(2)} ms = ${(ours.median / reference.median).toFixed(2)} ×)`,
  bound: `≤ ${most} × ${what} (p95 ${reference.p95.toFixed(2)} ms)`,
  kept: ours.p95 <= most * reference.p95,
})

const within = (name: string, { median, p95 }: Times, most: number): Figure => ({
  ...{ name, measured: `p95 ${p95.toFixed(2)} ms (median ${median.toFixed(2)} ms)` },
  ...{ bound: `≤ ${most} ms`, kept: p95 <= most },
})

/** A leaderboard of a million entries: its top, the ranks around a user, deep pages, and a change of a score. */
export const leaderboard = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const project = await hearth.newProject("Leaderboards")
  const board = await Effect.runPromise(
    hearth.core.leaderboards.create(project.id, {
      ...{
        name: "Points",
        metric: "custom",
        period: "all_time",
        max_entries: 1_000_000,
        custom_event: "scored:points",
      },
    }),
  )
  const database = await connectTo(hearth.dataDir, project.id)
  await database.query(fillUsers)
  for (const statement of fillScores(board.id)) await database.query(statement)
  const found = await database.query("select id from app_users order by random() limit 500")
  const ids = found.rows.map(({ id }) => String(id))
  const id = (round: number) => ids[round % ids.length] ?? ""
  for (const statement of plainTable) await database.query(statement)
  const key = [board.id, allTime]
  const page = (caller: string | null, around: boolean, offset: number) =>
    Effect.runPromise(
      hearth.postgres.tenants.read(project.id, (db) =>
        db.leaderboardScores.page({
          ...{ board: { ...board, version: 0 }, window_start: allTime, caller, around },
          slice: { limit: 50, offset },
        }),
      ),
    )
  // Where pages of the list end: in the middle, each the one after the page before.
  let place: Standing | null = null
  const readOn = async (limit: number, offset: number) => {
    const query = { board: { ...board, version: 0 }, window_start: allTime, slice: { limit, offset }, after: place }
    const { last } = await Effect.runPromise(
      hearth.postgres.tenants.read(project.id, (db) => db.leaderboardScores.listAfter(query)),
    )
    place = last
  }
  await readOn(1, users / 2)
  const [plain, top, mine, around, deep, after] = await measure([
    () => database.query({ name: "plain-page", text: plainPage, values: key }),
    () => page(null, false, 0),
    (round) => page(id(round), false, 0),
    (round) => page(id(round), true, 0),
    (round) => page(null, false, users / 2 + round),
    () => readOn(50, 0),
  ])
  const [plainUpsert, counted] = await measure(
    ["plain_scores", "leaderboard_scores"].map(
      (table) => (round) => database.query({ name: table, text: upsert(table), values: [...key, id(round)] }),
    ),
  )
  await database.end()
  await hearth.close()
  if (!(plain && top && mine && around && deep && after && plainUpsert && counted))
    throw new Error("All were measured.")
  const size = `${(users / 1_000_000).toLocaleString("en")} million entries`
  return [
    times(`Top 50 of ${size}`, top, plain, 3, "the plain indexed query"),
    within(`Top 50 of ${size}, with the caller's rank`, mine, 5),
    within(`50 around a user of ${size}`, around, 5),
    within(`50 in the middle of ${size}`, deep, 5),
    within(`The next 50 of a list of ${size} that is read on`, after, 5),
    times(`A score changed among ${size}`, counted, plainUpsert, 2, "an upsert of one row"),
  ]
}
