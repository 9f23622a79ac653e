import { Effect } from "effect"
import { expect, it } from "vitest"
import { pushFeature } from "../../../src/postgres/push/feature.ts"
import { readShapes } from "../../../src/postgres/schema/schema.ts"
import { tenantSchema } from "../../../src/postgres/schema/schemas.ts"
import { systemClock } from "../../../src/system/index.ts"
import { planNodes } from "../plan-nodes.ts"
import { openProjectClient } from "../project-client.ts"

const campaignId = "00000000-0000-4000-9000-000000000001"
const deliveries = 20_000
const limit = 50

// Without statistics, as when a project sends its first large campaign: nothing has been analyzed.
const seeds = [
  `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
     is_disabled, created_at, updated_at)
   values ('${campaignId}', 'x', 'anon_1', '[]', '{}', now(), now(), false, now(), now())`,
  `insert into push_campaigns (id, name, title, body, data, options, delivery_mode, status, created_at, updated_at)
   values ('${campaignId}', 'x', 'x', 'x', '{}', '{}', 'absolute', 'sending', now(), now())`,
  `insert into push_deliveries (id, campaign_id, app_user_id, push_token_id, provider, status, fire_at, try_at, tries)
   select gen_random_uuid(), '${campaignId}', '${campaignId}', gen_random_uuid(), 'push_a', 'pending', now(), now(), 0
   from generate_series(1, ${deliveries})`,
]

it("a claim reads no more deliveries than it takes, whatever PostgreSQL believes how many there are", async () => {
  const project = await openProjectClient(seeds)
  const shapes = readShapes(tenantSchema)
  await project.client.query("begin")
  const nodes = await planNodes(project.client, (statements) => {
    const { claim } = pushFeature.tenant.repositories.pushDeliveries(statements, shapes, systemClock)
    const now = new Date(Date.now() + 60_000)
    return Effect.asVoid(claim(campaignId, { now, limit, providers: ["push_a"], after: null, properties: [] }))
  })
  const reads = nodes.filter((node) => node["Relation Name"] === "push_deliveries" && /Scan/.test(node["Node Type"]))
  expect(reads.map((node) => node["Actual Rows"] * node["Actual Loops"])).toEqual([limit, limit])
  await project.close()
})
