import type { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { makeConversations } from "../../../src/postgres/messaging/conversations.ts"
import { makeMessages } from "../../../src/postgres/messaging/messages.ts"
import { planNodes } from "../plan-nodes.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const me = "00000000-0000-7000-8000-000000000001"
const busy = "00000000-0000-7000-8000-0000000000b1"

describe("the plans of messaging", () => {
  let database: ProjectClient

  beforeAll(async () => {
    database = await openProjectClient([
      `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       select case when n = 1 then '${me}' else gen_random_uuid() end, 'x', 'anon_' || n, '[]', '{}', now(), now(),
         false, now(), now() from generate_series(1, 2000) as n`,
      `insert into conversations (id, type, created_at, last_number, message_count, held_count, newest_at, latest_at)
       select case when n = 1 then '${busy}' else gen_random_uuid() end, 'group', at, 3, 3, 0, at, at
       from (select n, now() - n * interval '7 minutes' as at from generate_series(1, 10000) as n) as made`,
      `insert into conversation_participants (conversation_id, app_user_id, joined_at, read_number, latest_hour)
       select c.id, case when n = 0 then '${me}' else users.ids[1 + (c.row * 3 + n) % 1999] end, c.latest_at, 1,
         date_trunc('hour', c.latest_at, 'UTC')
       from (select id, latest_at, row_number() over () as row from conversations) as c, generate_series(0, 3) as n,
         (select array_agg(id) as ids from app_users where id <> '${me}') as users`,
      `insert into messages (id, conversation_id, number, sender_id, body, moderation, created_at)
       select gen_random_uuid(), c.id, n, u.id, 'text', case when c.id = '${busy}' and n > 100 then 'held' else 'shown' end, now()
       from conversations c, (select id from app_users where id <> '${me}' limit 1) as u,
         generate_series(1, case when c.id = '${busy}' then 20000 else 3 end) as n`,
      "update conversations set last_number = 20000, message_count = 20000, held_count = 19900 where id = '" +
        busy +
        "'",
      "vacuum analyze",
    ])
  })
  afterAll(() => database.close())

  /** How many rows of each table a statement has read, and the tables that it read as a whole. */
  const rowsRead = async (work: (statements: Statements) => Effect.Effect<unknown>) => {
    const nodes = await planNodes(database.client, work)
    const read = (table: string) =>
      nodes
        .filter((node) => node["Relation Name"] === table)
        .reduce((sum, node) => sum + node["Actual Rows"] * node["Actual Loops"], 0)
    const scans = nodes.filter((node) => node["Node Type"] === "Seq Scan").map((node) => node["Relation Name"])
    return { read, scans }
  }
  const shape = {
    name: "messages",
    columns: [],
    json: new Set<string>(),
    nullable: new Set<string>(),
    uniqueKeys: new Map(),
  }
  const page = (limit: number, offset: number) =>
    rowsRead((statements) => makeConversations(statements, shape).pageOfUser(me, { limit, offset }))

  it("of a page of 10,000 conversations read those down to the last hour of the page only [I4.2]", async () => {
    const { read, scans } = await page(20, 0)
    expect(scans).toEqual([])
    expect(read("conversations")).toBeGreaterThanOrEqual(20)
    // Of three hours at most 9 conversations each are read beside those of the page.
    expect(read("conversations")).toBeLessThan(40)
    expect(read("messages")).toBeLessThan(200)
    const next = await page(20, 100)
    expect(next.read("conversations")).toBeGreaterThanOrEqual(120)
    expect(next.read("conversations")).toBeLessThan(140)
    expect(next.read("messages")).toBeLessThan(100)
  })

  it("of a conversation in which 20,000 messages of others are held read none of these [I4.2]", async () => {
    const one = await rowsRead((statements) => makeConversations(statements, shape).view(busy, me))
    expect(one.read("messages")).toBeGreaterThanOrEqual(99)
    expect(one.read("messages")).toBeLessThan(120)
    const messages = await rowsRead((statements) =>
      makeMessages(statements, shape).pageForUser(busy, me, { before: null, after: null }, { limit: 50, offset: 0 }),
    )
    expect(messages.read("messages")).toBeGreaterThanOrEqual(50)
    expect(messages.read("messages")).toBeLessThan(120)
    expect(messages.scans.filter((table) => table === "messages")).toEqual([])
  })

  it("of conversations without messages beside one that has all of them read none [I4.2]", async () => {
    await database.client.query(`delete from messages where conversation_id <> '${busy}'`)
    await database.client.query("update messages set moderation = 'shown'")
    await database.client.query("vacuum analyze messages")
    const { read, scans } = await page(20, 100)
    expect(scans.filter((table) => table === "messages")).toEqual([])
    expect(read("messages")).toBe(0)
  })
})
