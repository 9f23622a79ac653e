import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { moderationFeature } from "../../../src/postgres/moderation/feature.ts"
import { readShapes } from "../../../src/postgres/schema/schema.ts"
import { tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { storesFeature } from "../../../src/postgres/stores/feature.ts"
import { systemClock } from "../../../src/system/index.ts"
import { planNodes } from "../plan-nodes.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const store = "00000000-0000-4000-9000-000000000001"
const id = "('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid"
const at = "timestamptz '2026-01-01' - n * interval '1 minute'"
const from = "from generate_series(1, 40000) as n"

const seeds = [
  `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
     is_disabled, created_at, updated_at)
   select ${id}, 'x', 'anon_' || n, '[]', '{}', now(), now(), false, now(), now() ${from}`,
  `insert into moderation_queue (id, reason, status, created_at, content_type, content_id, app_user_id, excerpt, is_open)
   select ${id}, 'link', 'pending', ${at}, 'message', gen_random_uuid(), ${id}, 'x', true ${from}`,
  `insert into trust_levels select ${id}, 'x', true, ${at} ${from}`,
  `insert into stores (id, name, is_active, created_at) values ('${store}', 'x', true, now())`,
  `insert into catalog_items (id, key, name, metadata, is_active, prices, created_at)
   select ${id}, 'item' || n, 'x', '{}', true, '{}', now() ${from}`,
  `insert into store_listings (id, store_id, catalog_item_id, sort_order, created_at)
   select ${id}, '${store}', ${id}, n, now() ${from}`,
  "vacuum analyze",
]

const slice = { limit: 50, offset: 30_000 }
const shapes = readShapes(tenantSchema)
const moderation = moderationFeature.tenant.repositories

const lists: ReadonlyArray<
  readonly [joined: string, list: string, read: (statements: Statements) => Effect.Effect<unknown>]
> = [
  [
    "app_users",
    "the moderation queue",
    (statements) =>
      moderation
        .moderationQueue(statements, shapes, systemClock)
        .pageShown({ status: "pending", content_type: null, app_user_id: null }, slice),
  ],
  ["app_users", "trust levels", (statements) => moderation.trustLevels(statements, shapes, systemClock).page(slice)],
  [
    "catalog_items",
    "a store's listings",
    (statements) =>
      storesFeature.tenant.repositories.listings(statements, shapes, systemClock).pageOfStore(store, slice),
  ],
]

describe("the plans of pages that are far from the beginning", () => {
  let database: ProjectClient

  beforeAll(async () => {
    database = await openProjectClient(seeds)
  })
  afterAll(() => database.close())

  it.each(lists)("read as many %s as a page of %s shows", async (joined, _, read) => {
    const nodes = await planNodes(database.client, read)
    const seen = nodes
      .filter((node) => node["Relation Name"] === joined)
      .map((node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"])
    expect(seen.reduce((sum, rows) => sum + rows, 0)).toBe(slice.limit)
  })
  it("of a store's last page count nothing, for admins and for apps", async () => {
    const last = { limit: 50, offset: 39_980 }
    for (const read of ["pageOfStore", "pageOnSale"] as const) {
      let sent = 0
      const rows = (text: string, values: ReadonlyArray<unknown>) =>
        Effect.promise(async () => {
          sent += 1
          return (await database.client.query(text, [...values])).rows
        })
      const listings = storesFeature.tenant.repositories.listings(
        { rows } as unknown as Statements,
        shapes,
        systemClock,
      )
      const page = await Effect.runPromise(
        read === "pageOfStore" ? listings.pageOfStore(store, last) : listings.pageOnSale(store, new Date(), last),
      )
      expect([page.rows.length, page.total, sent]).toEqual([20, 40_000, 1])
    }
  })
})
