import type { ListPlace } from "@hearth/core"
import { Effect } from "effect"
import pg from "pg"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeDeadLetters } from "../../../src/postgres/background/dead-letters.ts"
import { DeadLetter } from "../../../src/postgres/background/entities.ts"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { deepLinksFeature } from "../../../src/postgres/deep-links/feature.ts"
import { moderationFeature } from "../../../src/postgres/moderation/feature.ts"
import { pushFeature } from "../../../src/postgres/push/feature.ts"
import { referralsFeature } from "../../../src/postgres/referrals/feature.ts"
import { readShapes } from "../../../src/postgres/schema/schema.ts"
import { tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { InboxEntry } from "../../../src/postgres/webhooks/entities.ts"
import { makeInbox } from "../../../src/postgres/webhooks/inbox.ts"
import { systemClock } from "../../../src/system/index.ts"
import { type TestServer, testServer } from "../server.ts"

const code = "00000000-0000-4000-9000-000000000001"
const id = (n: string, version = "8000") => `('00000000-0000-4000-${version}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

// The time goes back while the ids go up, so that neither has the order of the rows.
const at = "timestamptz '2026-01-01' - n * interval '1 minute'"
// The middle of each list.
const place: ListPlace = {
  at: new Date(Date.UTC(2026, 0, 1) - 5_000 * 60_000),
  id: "ffffffff-ffff-4fff-8fff-ffffffffffff",
}
const middle = "00000000-0000-4000-8000-000000001388"

interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const rowsOfPush = `
  insert into push_campaigns select ${id("c", "9000")}, 'x', 'x', 'x', '{}', '{}', null, 'absolute', null, null, 'sent', null,
    null, null, null, null, now(), now() from generate_series(1, 4) as c`

const seeds = [
  `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
     is_disabled, created_at, updated_at)
   select ${id("n")}, 'x', 'anon_' || n, '[]', '{}', now(), now(), false, now(), now() from generate_series(1, 10000) as n`,
  rowsOfPush,
  // Several campaigns at once: what is next in the table is another one's.
  `insert into push_deliveries (id, campaign_id, app_user_id, push_token_id, provider, status, fire_at, try_at, tries)
   select ${id("n * 4 + c")}, ${id("c", "9000")}, ${id("n")}, gen_random_uuid(), 'push_a',
     case n % 2 when 0 then 'sent' else 'failed' end, now(), now(), 1
   from generate_series(1, 5000) as n, generate_series(1, 4) as c`,
  `insert into webhook_inbox (id, provider, provider_event_id, status, received_at, event_at)
   select ${id("n")}, case n % 2 when 0 then 'paywall' else 'subscription' end, n, 'processed', ${at}, now()
   from generate_series(1, 10000) as n`,
  `insert into outbox_dead (id, topic, reaction, error, status, tries, first_failed_at)
   select ${id("n")}, 'x', 'x', 'x', 'dead', 5, ${at} from generate_series(1, 10000) as n`,
  `insert into moderation_queue (id, reason, status, created_at, content_type, content_id, excerpt, is_open)
   select ${id("n")}, 'link', 'pending', ${at}, 'message', gen_random_uuid(), 'x', true from generate_series(1, 10000) as n`,
  `insert into trust_levels select ${id("n")}, 'x', true, ${at} from generate_series(1, 10000) as n`,
  `insert into tracked_links select ${id("n")}, 'link' || n, 'https://example.com', '{}', ${at}
   from generate_series(1, 10000) as n`,
  `insert into referral_codes select ${id("n")}, 'CODE' || n, '{}', '{}', null, true, null, 0, ${at}
   from generate_series(1, 10000) as n`,
  `insert into referral_claims select gen_random_uuid(), ${id("n")}, '${code}', 'CODE', null, '{}', ${at}
   from generate_series(1, 10000) as n`,
  "vacuum analyze",
]

const newest = (column: string) => [[column, "desc"] as never, ["id", "desc"] as never]
const slice = { limit: 50, offset: 0 }
const shapes = readShapes(tenantSchema)

const lists: ReadonlyArray<readonly [table: string, read: (statements: Statements) => Effect.Effect<unknown>]> = [
  [
    "push_deliveries",
    (statements) =>
      pushFeature.tenant.repositories
        .pushDeliveries(statements, shapes, systemClock)
        .listAfter({ campaign_id: code, status: "sent" }, [], { id: middle }, slice),
  ],
  [
    "webhook_inbox",
    (statements) =>
      makeInbox(statements, shapes(InboxEntry), systemClock).listAfter({ provider: null, status: null }, place, slice),
  ],
  [
    "webhook_inbox",
    (statements) =>
      makeInbox(statements, shapes(InboxEntry), systemClock).listAfter(
        { provider: "paywall", status: "processed" },
        place,
        slice,
      ),
  ],
  ["outbox_dead", (statements) => makeDeadLetters(statements, shapes(DeadLetter)).listAfter("dead", place, slice)],
  [
    "moderation_queue",
    (statements) =>
      moderationFeature.tenant.repositories
        .moderationQueue(statements, shapes, systemClock)
        .listShownAfter({ status: "pending", content_type: "message", app_user_id: null }, place, slice),
  ],
  [
    "trust_levels",
    (statements) =>
      moderationFeature.tenant.repositories.trustLevels(statements, shapes, systemClock).listAfter(place, slice),
  ],
  [
    "tracked_links",
    (statements) =>
      deepLinksFeature.tenant.repositories
        .trackedLinks(statements, shapes, systemClock)
        .listWithClicksAfter(place, slice),
  ],
  [
    "referral_codes",
    (statements) =>
      referralsFeature.tenant.repositories
        .referralCodes(statements, shapes, systemClock)
        .listAfter({}, newest("created_at"), { created_at: place.at, id: place.id }, slice),
  ],
  [
    "referral_claims",
    (statements) =>
      referralsFeature.tenant.repositories
        .referralClaims(statements, shapes, systemClock)
        .listAfter({ referral_code_id: code }, newest("claimed_at"), { claimed_at: place.at, id: place.id }, slice),
  ],
]

describe("the plans of lists that are read on", () => {
  let server: TestServer
  let client: pg.Client

  beforeAll(async () => {
    server = testServer()
    const project = await server.project(await server.open())
    client = new pg.Client({ connectionString: server.urlOf(server.databaseOf(project)), options: "-c TimeZone=UTC" })
    await client.connect()
    for (const seed of seeds) await client.query(seed)
  })
  afterAll(async () => {
    await client.end()
    await server.close()
  })

  const plansOf = async (work: (statements: Statements) => Effect.Effect<unknown>) => {
    const nodes: Array<PlanNode> = []
    const explain = (text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.promise(async () => {
        const { rows } = await client.query(`explain (analyze, format json) ${text}`, [...values])
        nodes.push(...nodesOf(rows[0]["QUERY PLAN"][0].Plan))
        return []
      })
    const attempt: Statements["attempt"] = (make) =>
      Effect.suspend(() => {
        const { text, values } = make()
        return Effect.as(explain(text, values), { rows: [], rowCount: 0 })
      })
    await Effect.runPromise(work({ rows: explain, attempt } as unknown as Statements))
    return nodes
  }

  it.each(lists)("read no more of %s than the page, from an index", async (table, read) => {
    const nodes = await plansOf(read)
    const scans = nodes.filter((node) => node["Relation Name"] === table)
    const seen = scans.map(
      (node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
    )
    expect(scans.map((node) => node["Node Type"])).toEqual([expect.stringMatching(/^Index (Only )?Scan$/)])
    // Of two that were sent one was not: the status is in no index of deliveries, and the provider in none with the status.
    expect(seen.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(2 * slice.limit + 1)
  })
})
