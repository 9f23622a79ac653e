import { afterAll, beforeAll, expect, it } from "vitest"
import { contentFeature } from "../../../src/postgres/content/feature.ts"
import { readShapes } from "../../../src/postgres/schema/schema.ts"
import { tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { systemClock } from "../../../src/system/index.ts"
import { planNodes } from "../plan-nodes.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const [libraries, items] = [200, 20_000]

let database: ProjectClient
beforeAll(async () => {
  database = await openProjectClient([
    `insert into content_libraries (id, name, created_at)
     select gen_random_uuid(), 'x', now() - n * interval '1 minute' from generate_series(1, ${libraries}) as n`,
    `insert into content_items (id, library_id, body, tags, metadata, is_premium, is_active, sort_order, moderation,
       created_at, updated_at)
     select gen_random_uuid(), l.id, 'x', '[]', '{}', false, true, n, 'shown', now(), now()
     from generate_series(1, ${items}) as n, (select id from content_libraries order by created_at desc limit 1) as l`,
    "vacuum analyze",
  ])
})
afterAll(() => database.close())

it("items of a page of libraries are counted together, also where one library has all of them [I1.1]", async () => {
  const shapes = readShapes(tenantSchema)
  const nodes = await planNodes(database.client, (statements) =>
    contentFeature.tenant.repositories
      .contentLibraries(statements, shapes, systemClock)
      .pageWithCounts({ limit: 100, offset: 0 }),
  )
  const read = nodes
    .filter((node) => node["Relation Name"] === "content_items")
    .map((node) => (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"])
  expect(Math.max(...read)).toBeLessThanOrEqual(items)
})
