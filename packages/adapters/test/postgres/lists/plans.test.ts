import type { ListPlace } from "@hearth/core"
import type { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeDeadLetters } from "../../../src/postgres/background/dead-letters.ts"
import { DeadLetter } from "../../../src/postgres/background/entities.ts"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { currenciesFeature } from "../../../src/postgres/currencies/feature.ts"
import { deepLinksFeature } from "../../../src/postgres/deep-links/feature.ts"
import { feedsFeature } from "../../../src/postgres/feeds/feature.ts"
import { groupsFeature } from "../../../src/postgres/groups/feature.ts"
import { mediaFeature } from "../../../src/postgres/media/feature.ts"
import { messagingFeature } from "../../../src/postgres/messaging/feature.ts"
import { moderationFeature } from "../../../src/postgres/moderation/feature.ts"
import { pushFeature } from "../../../src/postgres/push/feature.ts"
import { referralsFeature } from "../../../src/postgres/referrals/feature.ts"
import { reviewsFeature } from "../../../src/postgres/reviews/feature.ts"
import { readShapes } from "../../../src/postgres/schema/schema.ts"
import { tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { InboxEntry } from "../../../src/postgres/webhooks/entities.ts"
import { makeInbox } from "../../../src/postgres/webhooks/inbox.ts"
import { xpFeature } from "../../../src/postgres/xp/feature.ts"
import { systemClock } from "../../../src/system/index.ts"
import { planNodes } from "../plan-nodes.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const code = "00000000-0000-4000-9000-000000000001"
const somebody = "00000000-0000-4000-8000-000000000007"
const id = (n: string, version = "8000") => `('00000000-0000-4000-${version}-' || lpad(to_hex(${n}), 12, '0'))::uuid`

// The time goes back while the ids go up, so that neither has the order of the rows.
const at = "timestamptz '2026-01-01' - n * interval '1 minute'"
// The middle of each list.
const place: ListPlace = {
  at: new Date(Date.UTC(2026, 0, 1) - 5_000 * 60_000),
  id: "ffffffff-ffff-4fff-8fff-ffffffffffff",
}
const middle = "00000000-0000-4000-8000-000000001388"

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
  `insert into webhook_inbox_users select ${id("n")}, ${id("1 + n % 1000")}, 1 from generate_series(1, 10000) as n`,
  `insert into outbox_dead (id, topic, reaction, error, status, tries, first_failed_at)
   select ${id("n")}, 'x', 'x', 'x', 'dead', 5, ${at} from generate_series(1, 10000) as n`,
  `insert into moderation_queue (id, reason, status, created_at, content_type, content_id, app_user_id, excerpt, is_open)
   select ${id("n")}, 'link', 'pending', ${at}, 'message', gen_random_uuid(), ${id("1 + n % 1000")}, 'x', true
   from generate_series(1, 10000) as n`,
  `insert into trust_levels select ${id("n")}, 'x', true, ${at} from generate_series(1, 10000) as n`,
  `insert into tracked_links select ${id("n")}, 'link' || n, 'https://example.com', '{}', ${at}
   from generate_series(1, 10000) as n`,
  `insert into referral_codes select ${id("n")}, 'CODE' || n, '{}', '{}', null, true, null, 0, ${at}
   from generate_series(1, 10000) as n`,
  `insert into referral_claims select gen_random_uuid(), ${id("n")}, '${code}', 'CODE', null, '{}', ${at}
   from generate_series(1, 10000) as n`,
  `insert into feed_items (id, event_id, rule_id, actor_id, action, created_at)
   select ${id("n")}, gen_random_uuid(), '${code}', ${id("n")}, case n % 50 when 0 then 'won' else 'read' end, ${at}
   from generate_series(1, 10000) as n`,
  // The ledgers of two users, in turns.
  `insert into currency_transactions (id, app_user_id, currency_id, currency_code, amount, balance_after, transaction_type,
     source, created_at)
   select ${id("n")}, ${id("1 + n % 2")}, '${code}', 'GEMS', 1, 1, 'grant', 'admin', now() from generate_series(1, 10000) as n`,
  `insert into xp_entries (id, app_user_id, amount, source, cause_key, occurred_at, created_at, is_ranked)
   select ${id("n")}, ${id("1 + n % 2")}, 1, 'event', n, now(), ${at}, true from generate_series(1, 10000) as n`,
  `insert into media_folders values ('${code}', 'x', null, now())`,
  `insert into media_assets (id, path, filename, mime_type, folder_id, metadata, status, created_at)
   select ${id("n")}, n, 'x', 'image/png', case n % 2 when 0 then '${code}'::uuid end, '{}', 'uploaded', ${at}
   from generate_series(1, 10000) as n`,
  `insert into reviewable_items select ${id("n")}, 'book', n, null, 0, 0 from generate_series(1, 10000) as n`,
  `insert into reviews (id, app_user_id, reviewable_item_id, rating, is_approved, created_at, updated_at)
   select ${id("n")}, ${id("n")}, ${id("n")}, 1 + n % 5, n % 50 = 0, ${at}, now() from generate_series(1, 10000) as n`,
  `insert into conversations select ${id("n")}, 'group', null, null, null, now(), 1, 1, 0, ${at}, ${at}
   from generate_series(1, 10000) as n`,
  `insert into messages (id, conversation_id, number, moderation, created_at)
   select gen_random_uuid(), ${id("n")}, 1, 'shown', now() from generate_series(2, 10000) as n`,
  `insert into messages (id, conversation_id, number, moderation, created_at)
   select gen_random_uuid(), ${id("1")}, n, 'shown', now() from generate_series(1, 10000) as n`,
  `insert into groups (id, name, is_public, max_members, metadata, owner_id, member_count, created_at, updated_at)
   select ${id("n")}, 'x', true, 9, '{}', ${id("n")}, 0, ${at}, now() from generate_series(1, 10000) as n`,
  "vacuum analyze",
]

const newest = (column: string) => [[column, "desc"] as never, ["id", "desc"] as never]
const slice = { limit: 50, offset: 0 }
const shapes = readShapes(tenantSchema)

const someone = "00000000-0000-4000-8000-000000000001"
const transaction = "00000000-0000-4000-8000-000000001388"
const feedItems = (statements: Statements) =>
  feedsFeature.tenant.repositories.feedItems(statements, shapes, systemClock)
const reviews = (statements: Statements) => reviewsFeature.tenant.repositories.reviews(statements, shapes, systemClock)

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
  [
    "webhook_inbox",
    (statements) =>
      makeInbox(statements, shapes(InboxEntry), systemClock).listAfter(
        { provider: null, status: null, user_id: somebody },
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
    "moderation_queue",
    (statements) =>
      moderationFeature.tenant.repositories
        .moderationQueue(statements, shapes, systemClock)
        .listShownAfter({ status: "pending", content_type: null, app_user_id: somebody }, place, slice),
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
  ["feed_items", (statements) => feedItems(statements).listWithActors(null, place, slice)],
  ["feed_items", (statements) => feedItems(statements).listWithActors("won", place, slice)],
  [
    "currency_transactions",
    (statements) =>
      currenciesFeature.tenant.repositories
        .wallets(statements, shapes, systemClock)
        .transactionsBefore(someone, transaction, slice),
  ],
  [
    "xp_entries",
    (statements) =>
      xpFeature.tenant.repositories
        .xpEntries(statements, shapes, systemClock)
        .listAfter({ app_user_id: someone }, newest("created_at"), { created_at: place.at, id: place.id }, slice),
  ],
  ...[{}, { folder_id: code }].map(
    (filter) =>
      [
        "media_assets",
        (statements: Statements) =>
          mediaFeature.tenant.repositories
            .mediaAssets(statements, shapes, systemClock)
            .listAfter(filter, newest("created_at"), { created_at: place.at, id: place.id }, slice),
      ] as const,
  ),
  ["reviews", (statements) => reviews(statements).listOfAll({ rating_min: 1, rating_max: 5 }, place, slice)],
  [
    "reviews",
    (statements) => reviews(statements).listOfAll({ is_approved: true, rating_min: 1, rating_max: 5 }, place, slice),
  ],
  [
    "conversations",
    (statements) =>
      messagingFeature.tenant.repositories.conversations(statements, shapes, systemClock).listOfAll(place, slice),
  ],
  [
    "messages",
    (statements) =>
      messagingFeature.tenant.repositories
        .messages(statements, shapes, systemClock)
        .pageForAdmin(someone, 5_000, slice),
  ],
  [
    "groups",
    (statements) =>
      groupsFeature.tenant.repositories
        .groups(statements, shapes, systemClock)
        .listAfter({}, newest("created_at"), { created_at: place.at, id: place.id }, slice),
  ],
]

describe("the plans of lists that are read on", () => {
  let database: ProjectClient

  beforeAll(async () => {
    database = await openProjectClient(seeds)
  })
  afterAll(() => database.close())

  it.each(lists)("read no more of %s than the page, from an index", async (table, read) => {
    const nodes = await planNodes(database.client, read)
    const scans = nodes.filter((node) => node["Relation Name"] === table)
    const seen = scans.map(
      (node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"],
    )
    expect(scans.length).toBeGreaterThan(0)
    for (const scan of scans) expect(scan["Node Type"]).toMatch(/^(Index|Bitmap)/)
    // Of two that were sent one was not: the status is in no index of deliveries, and the provider in none with the status.
    expect(seen.reduce((sum, rows) => sum + rows, 0)).toBeLessThanOrEqual(2 * slice.limit + 1)
  })
})
