import type { FeedQuery, FeedScope } from "@hearth/core/feeds"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { readFeed } from "../../../src/postgres/feeds/read-feed.ts"
import { type TestServer, testServer } from "../server.ts"

const users = 6_000
const items = 30_000

// Every 40th item is of a private group, and every 60th is about one. The viewer is the first user, and has blocked the second,
// who wrote the newest 600 items; the third has blocked the viewer.
const fill = [
  `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
     is_disabled, created_at, updated_at)
   select ('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'x', 'anon_' || n, '[]', '{}', now(), now(), false,
     now(), now() from generate_series(1, ${users}) n`,
  "create table numbered as select id, row_number() over (order by id) as n from app_users",
  ...["small", "large", "secret"].map(
    (name, at) => `
    insert into groups (id, name, is_public, max_members, metadata, owner_id, member_count, created_at, updated_at)
    select gen_random_uuid(), '${name}', ${name !== "secret"}, 100000, '{}', id, ${[200, 5_500, 0][at]}, now(), now()
    from numbered where n = 1`,
  ),
  ...[
    ["small", 200],
    ["large", 5_500],
  ].map(
    ([name, count]) => `
    insert into group_members (id, group_id, app_user_id, is_admin, joined_at)
    select gen_random_uuid(), g.id, u.id, false, now() from groups g, numbered u where g.name = '${name}' and u.n <= ${count}`,
  ),
  `insert into follows select gen_random_uuid(), v.id, u.id, now() from numbered v, numbered u
   where v.n = 1 and u.n between 100 and 500`,
  `insert into blocks select gen_random_uuid(), v.id, u.id, now() from numbered v, numbered u
   where (v.n, u.n) in ((1, 2), (3, 1))`,
  `insert into feed_items (id, event_id, rule_id, actor_id, action, group_id, target_group_id, created_at)
   select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), u.id, 'did', case when i % 40 = 0 then secret.id end,
     case when i % 60 = 0 then secret.id when i % 70 = 0 then small.id end, now() - i / 3 * interval '1 minute'
   from generate_series(1, ${items}) i join numbered u on u.n = 1 + (i * 7919::bigint) % ${users},
     groups secret, groups small where secret.name = 'secret' and small.name = 'small'`,
  `insert into feed_items (id, event_id, rule_id, actor_id, action, created_at)
   select gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), id, 'shouted', now() + i * interval '1 second'
   from numbered, generate_series(1, 600) i where n = 2`,
  "vacuum analyze",
]

describe("reading feeds over many items", () => {
  let server: TestServer
  let client: pg.Client
  let viewer_id: string
  let groups: Readonly<Record<string, string>>
  let asked: Array<readonly [string, ReadonlyArray<unknown>]> = []

  beforeAll(async () => {
    server = testServer()
    const project = await server.project(await server.open())
    client = new pg.Client({ connectionString: server.urlOf(server.databaseOf(project)) })
    await client.connect()
    for (const statement of fill) await client.query(statement)
    viewer_id = (await client.query("select id from numbered where n = 1")).rows[0].id
    groups = Object.fromEntries(
      (await client.query("select name, id from groups")).rows.map(({ name, id }) => [name, id]),
    )
  })
  afterAll(async () => {
    await client.end()
    await server.close()
  })

  const statements = {
    rows: (text: string, values: ReadonlyArray<unknown> = []) => Effect.promise(() => run(text, values)),
    prepared: (_: string, text: string, values: ReadonlyArray<unknown>) => Effect.promise(() => run(text, values)),
  } as unknown as Statements
  const run = async (text: string, values: ReadonlyArray<unknown>) => {
    asked.push([text, values])
    return (await client.query(text, [...values])).rows
  }
  const read = (scope: FeedScope, after: FeedQuery["after"], limit: number) =>
    Effect.runPromise(readFeed(statements, { viewer_id, scope, after, limit }))

  const isOfScope = (scope: FeedScope) => {
    if (scope.of === "group")
      return `(i.target_group_id = '${scope.group_id}' or i.actor_id in (
        select app_user_id from group_members where group_id = '${scope.group_id}'
      ))`
    if (scope.of === "mine") return "i.actor_id = $1"
    return scope.of === "all" ? "true" : "i.actor_id in (select followed_id from follows where follower_id = $1)"
  }
  /** The same by a plain query over all items. */
  const expected = async (scope: FeedScope, limit: number): Promise<ReadonlyArray<string>> => {
    const isShown = `i.actor_id not in (select blocked_id from blocks where blocker_id = $1)
      and i.actor_id not in (select blocker_id from blocks where blocked_id = $1)
      and coalesce(i.group_id, $2) <> $3 and coalesce(i.target_group_id, $2) <> $3`
    const { rows } = await client.query(
      `select i.id from feed_items i where ${isOfScope(scope)} and ($2::uuid is null or $3::uuid is null or ${isShown})
       order by created_at desc, id desc limit ${limit}`,
      [viewer_id, ...(scope.of === "mine" ? [null, null] : [groups["small"], groups["secret"]])],
    )
    return rows.map(({ id }) => id)
  }

  it.each([
    ["all", 7],
    ["all", 100],
    ["following", 1],
    ["following", 50],
    ["following", 100],
    ["mine", 2],
    ["small", 50],
    ["small", 100],
    ["large", 50],
    ["large", 100],
  ] as const)("%s in pages of %i are the items of a plain query, in its order [I3.2]", async (of, limit) => {
    const scope: FeedScope = of === "small" || of === "large" ? { of: "group", group_id: groups[of] ?? "" } : { of }
    const found: Array<string> = []
    let after: FeedQuery["after"] = null
    for (let pages = 0; pages < 60; pages += 1) {
      const page = await read(scope, after, limit)
      expect(page.items.length).toBeLessThanOrEqual(limit)
      found.push(...page.items.map(({ id }) => id))
      if (page.next === null) break
      after = page.next
    }
    expect(found.length).toBeGreaterThan(of === "mine" ? 4 : 30)
    expect(found).toEqual(await expected(scope, found.length))
    if (of === "following" && limit > 1) expect(found).toEqual(await expected(scope, items))
  })

  it("answers short pages where most is left out, in one statement of a few hundred items", async () => {
    asked = []
    const { items: shown, next } = await read({ of: "all" }, null, 50)
    expect([shown, next === null, asked.length]).toEqual([[], false, 1])
  })

  /** How many rows a plan reads of items, and whether it reads a table as a whole. */
  const explain = async (scope: FeedScope) => {
    asked = []
    const { next } = await read(scope, null, 50)
    await read(scope, next, 50)
    const plans: Array<string> = []
    for (const [text, values] of [...asked])
      plans.push(JSON.stringify((await client.query(`explain (analyze, format json) ${text}`, [...values])).rows))
    const plan = plans.join("")
    const nodes = plan.match(/"Relation Name":"feed_items"[^}]*?"Actual Loops":[\d.]+/g) ?? []
    const counts = nodes.map((node) => {
      const [, rows = "0"] = /"Actual Rows":([\d.]+)/.exec(node) ?? []
      const [, loops = "0"] = /"Actual Loops":([\d.]+)/.exec(node) ?? []
      return Number(rows) * Number(loops)
    })
    return {
      statements: asked.length,
      rows: counts.reduce((sum, rows) => sum + rows, 0),
      isWhole: /"Node Type":"Seq Scan"[^}]*?"Relation Name":"feed_items"/.test(plan),
    }
  }

  it("probes an index once for each followed user, and then reads what matters", async () => {
    // Two pages: for each 401 probes, 150 users of whom few have a second item that is new enough, and 150 items.
    const { statements, rows, isWhole } = await explain({ of: "following" })
    expect([statements, isWhole]).toEqual([2, false])
    expect(rows).toBeGreaterThan(2 * 401)
    expect(rows).toBeLessThan(2 * (401 + 3 * 150))
  })

  it("reads a bounded number of items of all users and of large groups", async () => {
    const all = await explain({ of: "all" })
    expect([all.statements, all.isWhole, all.rows]).toEqual([2, false, 2 * 150])
    const large = await explain({ of: "group", group_id: groups["large"] ?? "" })
    expect([large.statements, large.isWhole, large.rows]).toEqual([4, false, 2 * 5_000])
    const small = await explain({ of: "group", group_id: groups["small"] ?? "" })
    expect([small.statements, small.isWhole]).toEqual([4, false])
    expect(small.rows).toBeLessThan(2 * (200 + 6 * 150))
  })
})
