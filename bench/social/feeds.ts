import type { FeedQuery, FeedScope } from "@hearth/core/feeds"
import { Effect } from "effect"
import type pg from "pg"
import { connectTo } from "../harness/database.ts"
import type { Figure } from "../harness/figure.ts"
import { fillTable } from "../harness/fill.ts"
import { openInProcess } from "../harness/in-process.ts"

const items = Number(process.env["BENCH_ITEMS"] ?? 5_000_000)
const users = Math.ceil(items / 50)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 200)

// The first user blocks the last 1,000, whose items are the newest of all; the second follows 1,000 others, the third 5,000.
const viewers = { blocker: 1, reader: 2, fan: 3 }
const many = Math.min(5_000, users - 10)

const fillUsers = [
  `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at,
     last_seen_at, is_disabled, created_at, updated_at)
   select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'User ' || n, 'anon_' || n, '[]', '{}',
     now(), now(), false, now(), now() from generate_series(1, ${users}) n`,
  "set session_replication_role = replica",
  "create temp table numbered as select id, row_number() over (order by id) as n from app_users",
  "create index on numbered (n)",
]

const fillItems = [
  `insert into feed_items (id, event_id, rule_id, actor_id, action, target_id, created_at)
   select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), u.id, 'learned', 'lesson-' || i,
     now() - (${items} - i) * interval '2 seconds'
   from generate_series(1, ${items}) i join numbered u on u.n = 1 + (i * 7919::bigint) % ${users}`,
  `insert into feed_items (id, event_id, rule_id, actor_id, action, created_at)
   select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), id, 'shouted', now() + n * interval '1 millisecond'
   from numbered where n > ${users} - 1000`,
]

const fillRelations = [
  ...[
    [viewers.reader, 1_000],
    [viewers.fan, many],
  ].map(
    ([viewer, count]) => `
    insert into follows select gen_random_uuid(), v.id, u.id, now() from numbered v, (
      select id from numbered where n > 10 order by md5(n::text) limit ${count}
    ) u where v.n = ${viewer}`,
  ),
  `insert into blocks select gen_random_uuid(), v.id, u.id, now() from numbered v, numbered u
   where v.n = ${viewers.blocker} and u.n > ${users} - 1000`,
  ...[
    ["small", 1_000],
    ["large", Math.min(50_000, users)],
  ].map(
    ([name, count]) => `
    with made as (
      insert into groups (id, name, is_public, max_members, metadata, owner_id, member_count, created_at, updated_at)
      select gen_random_uuid(), '${name}', true, 100000, '{}', id, ${count}, now(), now() from numbered where n = 2
      returning id
    )
    insert into group_members (id, group_id, app_user_id, is_admin, joined_at)
    select gen_random_uuid(), made.id, u.id, false, now() from made, (
      select id from numbered order by n = 2 desc, md5(n::text) limit ${count}
    ) u`,
  ),
  "reset session_replication_role",
  "vacuum analyze",
]

const measure = async (calls: Readonly<Record<string, () => Promise<unknown>>>) => {
  const times = new Map(Object.keys(calls).map((name) => [name, [] as Array<number>]))
  for (let round = -10; round < rounds; round += 1)
    for (const [name, call] of Object.entries(calls)) {
      const began = performance.now()
      await call()
      if (round >= 0) times.get(name)?.push(performance.now() - began)
    }
  return [...times].map(([name, taken]) => {
    const sorted = taken.toSorted((a, b) => a - b)
    return { name, median: sorted[sorted.length >> 1] ?? 0, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 }
  })
}

const readId = async (database: pg.Client, text: string) => String((await database.query(text)).rows[0]?.id)

/** Pages of 50 of feeds over millions of items: of whom a user follows, of all with most of it blocked, and of groups. */
export const feeds = async (): Promise<ReadonlyArray<Figure>> => {
  const hearth = await openInProcess()
  const project = await hearth.newProject("Feeds")
  const database = await connectTo(hearth.dataDir, project.id)
  for (const statement of fillUsers) await database.query(statement)
  await fillTable(database, "feed_items", fillItems)
  for (const statement of fillRelations) await database.query(statement)
  const userId = (n: number) => readId(database, `select id from numbered where n = ${n}`)
  const groupId = (name: string) => readId(database, `select id from groups where name = '${name}'`)
  const [blocker, reader, fan] = [await userId(1), await userId(2), await userId(3)]
  const [small, large] = [await groupId("small"), await groupId("large")]
  const middle = { created_at: new Date(Date.now() - items * 1_000), id: reader }
  const read = (viewer_id: string, scope: FeedScope, after: FeedQuery["after"] = null) =>
    Effect.runPromise(
      hearth.postgres.tenants.read(project.id, (db) => db.feedItems.readFeed({ viewer_id, scope, after, limit: 50 })),
    )
  const group = (group_id: string): FeedScope => ({ of: "group", group_id })
  const measured = await measure({
    "of 1,000 followed": () => read(reader, { of: "following" }),
    "of 1,000 followed, from the middle": () => read(reader, { of: "following" }, middle),
    [`of ${many.toLocaleString("en")} followed`]: () => read(fan, { of: "following" }),
    "of all": () => read(reader, { of: "all" }),
    "of all, where the newest 1,000 are blocked": () => read(blocker, { of: "all" }),
    "of one's own": () => read(reader, { of: "mine" }),
    "of a group of 1,000": () => read(reader, group(small)),
    [`of a group of ${Math.min(50_000, users).toLocaleString("en")}`]: () => read(reader, group(large)),
  })
  await database.end()
  await hearth.close()
  const most = (name: string) => (/ 5,000 |a group of [1-9]\d/.test(`${name} `) ? 50 : 15)
  const size = `${(items / 1_000_000).toLocaleString("en")} million feed items`
  return measured.map(({ name, median, p95 }) => ({
    name: `A page of 50 ${name}, of ${size}`,
    measured: `p95 ${p95.toFixed(2)} ms (median ${median.toFixed(2)} ms)`,
    bound: `≤ ${most(name)} ms`,
    kept: p95 <= most(name),
  }))
}
