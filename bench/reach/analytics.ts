import { Effect } from "effect"
import type { Client } from "pg"
import { connectTo } from "../harness/database.ts"
import { atMost, type Figure, median } from "../harness/figure.ts"
import { fillTable } from "../harness/fill.ts"
import { openInProcess } from "../harness/in-process.ts"

const users = Number(process.env["BENCH_ACTIVE_USERS"] ?? 100_000)
const sessions = Number(process.env["BENCH_SESSIONS"] ?? 1_000_000)
const events = Number(process.env["BENCH_EVENTS"] ?? 10_000_000)
const rounds = 3
const sliceSize = 2_000
// The active days of so many slices are noted piece by piece, those of all events before by one statement.
const slices = Math.min(300, Math.floor(events / sliceSize))

// Indexes that nothing here reads, whose making would take most of the time.
const unused = [
  "engagement_events_app_user_id_occurred_at_id_index",
  "engagement_events_app_user_id_event_name_occurred_at_index",
  "engagement_events_event_name_occurred_at_id_index",
]

// Of the last 30 days, evenly. Without foreign keys; the users of events follow each other, so that nothing has to be looked up.
const fillUsers = [
  `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
      is_disabled, created_at, updated_at)
   select md5(n::text)::uuid, 'User ' || n, 'anon_' || n, '[]', '{}', now() - random() * interval '120 days', now(),
      false, now(), now() from generate_series(0, ${users - 1}) n`,
  "set session_replication_role = replica",
]

const fillSessions = [
  `insert into tracking_sessions (id, app_user_id, session_id, started_at, ended_at, duration_seconds, platform,
      app_version, device_model, metadata, last_seen_at, check_at)
   select uuidv7(), md5((n::bigint * 7919 % ${users})::text)::uuid, 'session ' || n, at, at + seconds * interval '1 second', seconds,
      (array['ios', 'android', 'web', null])[1 + n % 4], '1.' || n % 20, 'Phone', '{}', at, at
   from (
     select n, now() - interval '30 days' * (1 - n / ${sessions}.0) as at, (random() * 1800)::int as seconds
     from generate_series(1, ${sessions}) n
   ) as given`,
]

const fillEvents = [
  `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
   select uuidv7(), md5((n::bigint * 7919 % ${users})::text)::uuid, 'lesson', '{}', now() - interval '30 days' * (1 - n / ${events}.0)
   from generate_series(1, ${events}) n`,
]

const lastBefore = `
  select id from engagement_events order by id desc limit 1 offset ${slices * sliceSize}`

const fillDays = (lastId: string) => `
  insert into user_active_days (app_user_id, day)
  select distinct app_user_id, (occurred_at at time zone 'UTC')::date from engagement_events where id <= '${lastId}'`

const range = "where started_at >= $1 and started_at < $2"
const by = (key: string, rest = "") =>
  `select ${key}, count(*), count(distinct app_user_id) from tracking_sessions ${range} group by 1 ${rest}`

/** The figures of sessions as somebody would write them by hand. */
const sessionsByHand = [
  `select count(*), count(distinct app_user_id), avg(duration_seconds),
     percentile_cont(0.5) within group (order by duration_seconds) from tracking_sessions ${range}`,
  by("started_at::date"),
  by("platform", "order by 2 desc"),
  by("app_version", "order by 2 desc limit 10"),
]

/** The overview, from the log. */
const overviewByHand = [
  `select occurred_at::date, count(distinct app_user_id) from engagement_events
   where occurred_at >= $1 and occurred_at < $2 group by 1`,
  `select count(distinct app_user_id) filter (where occurred_at >= $2::timestamptz - interval '7 days'), count(distinct app_user_id)
   from engagement_events where occurred_at >= $1 and occurred_at < $2`,
  "select first_seen_at::date, count(*) from app_users where first_seen_at >= $1 and first_seen_at < $2 group by 1",
]

/** Retention, from the active days. */
const retentionByHand = [
  `select date_trunc('week', first_seen_at)::date as week, (day - date_trunc('week', first_seen_at)::date) / 7 as later,
     count(distinct app_user_id)
   from app_users join user_active_days on app_user_id = app_users.id
   where first_seen_at >= date_trunc('week', $2::timestamptz) - interval '49 days' and first_seen_at < $2
     and day >= date_trunc('week', first_seen_at)::date and $1::timestamptz is not null
   group by 1, 2`,
  `select date_trunc('week', first_seen_at)::date, count(*) from app_users
   where first_seen_at >= date_trunc('week', $2::timestamptz) - interval '49 days' and first_seen_at < $2
     and $1::timestamptz is not null group by 1`,
]

const measure = async (work: () => Promise<unknown>) => {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** The median of each in milliseconds, in turns. */
const compare = async (name: string, ours: () => Promise<unknown>, byHand: () => Promise<unknown>): Promise<Figure> => {
  const times: [Array<number>, Array<number>] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    times[0].push(await measure(ours))
    times[1].push(await measure(byHand))
  }
  const [own, reference] = [median(times[0]), median(times[1])]
  return {
    name,
    measured: `${Math.round(own)} ms = ${(own / reference).toFixed(2)} ×`,
    bound: `≤ 2 × the statements written by hand (${Math.round(reference)} ms)`,
    kept: own <= 2 * reference,
  }
}

const runAll = async (database: Client, statements: ReadonlyArray<string>, values: ReadonlyArray<unknown>) => {
  for (const statement of statements) await database.query(statement, [...values])
}

/** Figures of 30 days over a million sessions and ten million events, and noting the active days of events from before. */
export const analytics = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const project = await hearth.newProject("Analytics")
  const database = await connectTo(hearth.dataDir, project.id)
  for (const statement of fillUsers) await database.query(statement)
  await fillTable(database, "tracking_sessions", fillSessions)
  await fillTable(database, "engagement_events", fillEvents, unused)
  const [last] = (await database.query(lastBefore)).rows
  let after: string | null = last?.id ?? null
  await fillTable(database, "user_active_days", last === undefined ? [] : [fillDays(last.id)])
  for (const statement of ["reset session_replication_role", "vacuum analyze"]) await database.query(statement)

  const pieces: Array<number> = []
  do {
    pieces.push(
      await measure(async () => {
        after = await Effect.runPromise(
          hearth.postgres.tenants.transact(project.id, (db) => db.activeDays.addFromEvents(after, sliceSize)),
        )
      }),
    )
  } while (after !== null)
  await database.query("vacuum analyze user_active_days")

  const until = new Date()
  const bounds = [new Date(until.getTime() - 30 * 86_400_000), until]
  const figures = hearth.core.analytics
  const compared = [
    await compare(
      `Sessions of 30 days, ${sessions.toLocaleString("en")} of them`,
      () => Effect.runPromise(figures.sessions(project.id, { until })),
      () => runAll(database, sessionsByHand, bounds),
    ),
    await compare(
      `Overview of 30 days with ${events.toLocaleString("en")} events`,
      () => Effect.runPromise(figures.overview(project.id, { until })),
      () => runAll(database, overviewByHand, bounds),
    ),
    await compare(
      `Retention of 8 weeks, ${users.toLocaleString("en")} users`,
      () => Effect.runPromise(figures.retention(project.id, 8)),
      () => runAll(database, retentionByHand, bounds),
    ),
  ]
  await database.end()
  await hearth.close()
  const slowest = pieces.toSorted((a, b) => a - b)[Math.floor(pieces.length * 0.95)] ?? 0
  return [
    ...compared,
    atMost(
      `Active days of ${sliceSize.toLocaleString("en")} events from before, p95 of ${pieces.length}`,
      "ms",
      slowest,
      500,
    ),
  ]
}
