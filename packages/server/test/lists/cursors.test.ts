import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Found {
  readonly ids: ReadonlyArray<string>
  readonly total: number
  readonly next_cursor?: string | null
}

const code = "00000000-0000-4000-9000-000000000001"
// The first of what follows: a user, and a conversation.
const user = "00000000-0000-4000-8000-000000000001"
const id = "('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
// Two and two of the same instant.
const at = "date_trunc('hour', now()) - (n / 2) * interval '1 minute'"
const five = "from generate_series(1, 5) as n"

const seeds = [
  `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
     is_disabled, created_at, updated_at)
   select ${id}, 'x', 'anon_' || n, '[]', '{}', now(), now(), false, now(), now() ${five}`,
  `insert into push_campaigns values ('${code}', 'x', 'x', 'x', '{}', '{}', null, 'absolute', null, null, 'sent', null, null,
     null, null, null, now(), now())`,
  `insert into push_deliveries (id, campaign_id, app_user_id, push_token_id, provider, status, fire_at, try_at, tries)
   select ${id}, '${code}', ${id}, gen_random_uuid(), 'push_a', 'sent', now(), now(), 1 ${five}`,
  `insert into webhook_inbox (id, provider, status, received_at, event_at)
   select ${id}, 'paywall', 'processed', ${at}, now() ${five}`,
  `insert into outbox_dead (id, topic, reaction, error, status, tries, first_failed_at)
   select ${id}, 'x', 'x', 'x', 'dead', 5, ${at} ${five}`,
  `insert into moderation_queue (id, reason, status, created_at, content_type, content_id, excerpt, is_open)
   select ${id}, 'link', 'pending', ${at}, 'message', gen_random_uuid(), 'x', true ${five}`,
  `insert into trust_levels select ${id}, 'x', true, ${at} ${five}`,
  `insert into tracked_links select ${id}, 'link' || n, 'https://example.com', '{}', ${at} ${five}`,
  `insert into referral_codes select case n when 1 then '${code}' else ${id} end, 'CODE' || n, '{}', '{}', null, true, null,
     0, ${at} ${five}`,
  `insert into referral_claims select ${id}, ${id}, '${code}', 'CODE', null, '{}', ${at} ${five}`,
  `insert into leaderboards (id, name, metric, period, max_entries, is_active, created_at)
   values ('${code}', 'x', 'xp', 'all_time', 3, true, now())`,
  `insert into leaderboard_scores (leaderboard_id, version, window_start, app_user_id, score, reached_at, is_listed)
   select '${code}', 0, '0001-01-01', ${id}, (n / 2) * 0.0001, now(), true ${five}`,
  `insert into feed_items (id, event_id, rule_id, actor_id, action, created_at)
   select ${id}, gen_random_uuid(), '${code}', ${id}, 'read', ${at} ${five}`,
  `insert into currency_transactions (id, app_user_id, currency_id, currency_code, amount, balance_after, transaction_type,
     source, created_at)
   select ${id}, '${user}', '${code}', 'GEMS', n, n, 'grant', 'admin', ${at} ${five}`,
  `insert into media_folders values ('${code}', 'x', null, now())`,
  `insert into media_assets (id, path, filename, mime_type, folder_id, metadata, status, created_at)
   select ${id}, n, 'x', 'image/png', '${code}', '{}', 'uploaded', ${at} ${five}`,
  `insert into reviewable_items select ${id}, 'book', n, null, 0, 0 ${five}`,
  `insert into reviews (id, app_user_id, reviewable_item_id, rating, is_approved, created_at, updated_at)
   select ${id}, ${id}, ${id}, n, false, ${at}, now() ${five}`,
  `insert into conversations select ${id}, 'group', null, null, null, now(), 0, 0, 0, ${at}, ${at} ${five}`,
  `update conversations set message_count = 5, last_number = 5 where id = '${user}'`,
  `insert into messages (id, conversation_id, number, moderation, created_at)
   select ${id}, '${user}', n, 'shown', ${at} ${five}`,
  `insert into groups (id, name, is_public, max_members, metadata, owner_id, member_count, created_at, updated_at)
   select ${id}, 'x', true, 9, '{}', ${id}, 0, ${at}, now() ${five}`,
]

const lists = [
  `push/campaigns/${code}/deliveries?status=sent`,
  "webhooks/inbox?provider=paywall",
  "background/dead?status=dead",
  "moderation/queue?content_type=message",
  "moderation/trust?",
  "deep-links/tracked?",
  "referrals?",
  `referrals/${code}/stats?`,
  `leaderboards/${code}/entries?`,
  "feeds/items?action=read",
  `currencies/transactions/${user}?`,
  `media?folder_id=${code}`,
  "reviews?is_approved=false",
  "messaging/conversations?",
  `messaging/conversations/${user}/messages?`,
  "groups?",
]

describe("lists that are read on by a cursor", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let dataDir: string

  beforeAll(async () => {
    dataDir = harness.folder()
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
    for (const seed of seeds) await sqlIn(dataDir).rows(project.id, seed)
  })
  afterAll(harness.clear, 30_000)

  const call = (path: string) =>
    server.api.call<unknown>("GET", `/admin/projects/${project.id}/${path}`, project.owner.as)
  const read = async (path: string): Promise<Found> => {
    const { data, total, next_cursor } = JSON.parse((await call(path)).text)
    const rows: ReadonlyArray<{ readonly id?: string; readonly app_user_id?: string }> = data.claims ?? data
    return {
      ids: rows.map((row) => String(row.id ?? row.app_user_id)),
      total: data.total_claims ?? total,
      ...(data.claims === undefined ? { next_cursor } : { next_cursor: data.next_cursor }),
    }
  }

  it("read on where pages of large rows are cut", async () => {
    const large = "00000000-0000-4000-8000-000000000002"
    for (const seed of [
      `insert into messages (id, conversation_id, number, body, moderation, created_at)
       select gen_random_uuid(), '${large}', n, n || repeat('x', 4000), 'shown', now() from generate_series(1, 600) as n`,
      `update reviews set body = repeat('x', 600000)`,
      `update app_users set properties = jsonb_build_object('text', repeat('x', 600000))`,
      ...["tracked_links", "media_assets", "groups"].map(
        (table) => `update ${table} set metadata = jsonb_build_object('text', repeat('x', 600000))`,
      ),
    ])
      await sqlIn(dataDir).rows(project.id, seed)
    for (const [list, count] of [
      [`messaging/conversations/${large}/messages?`, 600],
      ["reviews?", 5],
      ["users?", 5],
      ["deep-links/tracked?", 5],
      [`media?folder_id=${code}`, 5],
      ["groups?", 5],
    ] as const) {
      const whole = await read(`${list}&limit=1000`)
      const pages: Array<Found> = []
      for (let cursor: string | null | undefined = "start"; cursor; cursor = pages.at(-1)?.next_cursor)
        pages.push(await read(`${list}&limit=1000&cursor=${cursor}`))
      expect(pages.length).toBeGreaterThan(2)
      expect(pages.flatMap(({ ids }) => ids)).toEqual(whole.ids)
      expect(whole.ids).toHaveLength(count)
    }
  })

  it("are sent in pieces where their rows are large, as are lists without cursors", async () => {
    const project = await aProject(server.api)
    const reader = await aUser(server.api, project)
    const large = "jsonb_build_object('text', repeat('x', 60000))"
    const thirty = "from generate_series(1, 30) as n"
    for (const seed of [
      `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
       select gen_random_uuid(), '${reader.id}', 'x', ${large}, now() - n * interval '1 s' ${thirty}`,
      `insert into onboarding_flows select gen_random_uuid(), n, jsonb_build_array(${large}), true, now() ${thirty}`,
      `insert into content_libraries (id, name, content_schema, created_at)
       select gen_random_uuid(), n, ${large}, now() ${thirty}`,
      `insert into catalog_items (id, key, name, item_type, prices, metadata, is_active, created_at)
       select gen_random_uuid(), n, n, 'x', '{}', ${large}, true, now() ${thirty}`,
    ])
      await sqlIn(dataDir).rows(project.id, seed)
    for (const [path, who] of [
      [`${project.admin}/users/${reader.id}/events?limit=1000`, project.owner.as],
      [`${project.admin}/onboarding/flows?limit=1000`, project.owner.as],
      [`${project.admin}/content/libraries?limit=1000`, project.owner.as],
      [`${project.admin}/catalog/items?limit=1000`, project.owner.as],
      ["/client/onboarding/flows", reader.as],
      ["/client/onboarding/flows?limit=1000&offset=0", reader.as],
    ] as const) {
      const { status, headers, text } = await server.api.call("GET", path, who)
      // Nobody knows how long it is before all of it is read.
      expect([path, status, headers.get("content-length")]).toEqual([path, 200, null])
      const ids = (JSON.parse(text).data as ReadonlyArray<{ readonly id: string }>).map(({ id }) => id)
      expect([path, new Set(ids).size]).toEqual([path, 30])
    }
    const found: Array<string> = []
    let next: string | null = ""
    for (const [limit, count] of [
      [25, 25],
      [1_000, 5],
    ] as const) {
      const cursor = found.length === 0 ? "" : `&cursor=${next}`
      const path = `${project.admin}/events?user_id=${reader.id}&limit=${limit}${cursor}`
      const { status, headers, text } = await server.api.call("GET", path, project.owner.as)
      const page: { data: ReadonlyArray<{ id: string }>; next_cursor: string | null } = JSON.parse(text)
      expect([status, page.data.length, headers.get("content-length") === null]).toEqual([200, count, count === 25])
      found.push(...page.data.map(({ id }) => id))
      next = page.next_cursor
    }
    expect(next).toBeNull()
    expect(new Set(found).size).toBe(30)
  })

  it.each(lists)("%s", async (list) => {
    const whole = await read(`${list}&limit=9`)
    expect(whole.ids).toHaveLength(5)
    expect(whole.next_cursor).toBeUndefined()
    const pages: Array<Found> = []
    for (let cursor: string | null | undefined = "start"; cursor; cursor = pages.at(-1)?.next_cursor)
      pages.push(await read(`${list}&limit=2&cursor=${cursor}`))
    expect(pages.map(({ ids }) => ids)).toEqual([whole.ids.slice(0, 2), whole.ids.slice(2, 4), whole.ids.slice(4)])
    expect(pages.map(({ total }) => total)).toEqual(pages.map(() => whole.total))
    expect(pages.at(-1)?.next_cursor).toBeNull()
    const skipped = await read(`${list}&limit=2&offset=1&cursor=${pages[0]?.next_cursor}`)
    expect(skipped.ids).toEqual(whole.ids.slice(3))
    for (const wrong of ["", "begin", "%00", `${pages[0]?.next_cursor}A`])
      expect(await call(`${list}&cursor=${wrong}`)).toMatchObject({ status: 400, code: "INVALID_CURSOR" })
  })
})
