import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Found {
  readonly ids: ReadonlyArray<string>
  readonly total: number
  readonly next_cursor?: string | null
}

const code = "00000000-0000-4000-9000-000000000001"
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
]

describe("lists that are read on by a cursor", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    const dataDir = harness.folder()
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
