import type { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { makeDeliveries } from "../../../src/postgres/content/schedules.ts"
import { planNodes } from "../plan-nodes.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const [many, piece] = [30_000, 500]
const shape = {
  ...{ name: "content_deliveries", columns: ["id"], json: new Set<string>() },
  ...{ nullable: new Set<string>(), uniqueKeys: new Map() },
}

let database: ProjectClient
beforeAll(async () => {
  database = await openProjectClient([
    "insert into content_libraries (id, name, created_at) values (gen_random_uuid(), 'x', now())",
    `insert into content_items (id, library_id, body, tags, metadata, is_premium, is_active, sort_order, moderation,
       created_at, updated_at)
     select gen_random_uuid(), id, 'x', '[]', '{}', false, true, 1, 'shown', now(), now() from content_libraries`,
    `insert into content_schedules (id, library_id, name, schedule_type, config, is_active, config_key, looks_from, round,
       created_at, updated_at)
     select gen_random_uuid(), id, 'x', 'sequential', '{}', true, 'x', now(), 0, now(), now() from content_libraries`,
    `insert into content_deliveries (id, schedule_id, item_id, round, delivered_at)
     select gen_random_uuid(), s.id, i.id, 0, now() - n * interval '1 minute'
     from content_schedules s, content_items i, generate_series(1, ${many}) as n`,
    "vacuum analyze",
  ])
})
afterAll(() => database.close())

type Deliveries = ReturnType<typeof makeDeliveries>

it.each<[string, number, (deliveries: Deliveries) => Effect.Effect<unknown>]>([
  ["the oldest delivery of one schedule", 1, (deliveries) => deliveries.oldest()],
  ["the first that are to go", piece, (deliveries) => deliveries.removeOld(new Date(), piece)],
])("%s: it reads these only", async (_, expected, work) => {
  const nodes = await planNodes(database.client, ({ rows, ...others }) => {
    const statements = { ...others, rows, count: rows, instant: rows } as unknown as Statements
    return work(makeDeliveries(statements, shape, shape))
  })
  const read = nodes.map((node) => node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0))
  expect(Math.max(...read)).toBe(expected)
})
