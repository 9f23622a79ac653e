import { afterAll, beforeAll, expect, it } from "vitest"
import { countActive } from "../../../src/postgres/users/count-active.ts"
import { planNodes } from "../plan-nodes.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const [many, users] = [30_000, 100]
const [since, until] = [new Date("2026-03-01T00:00:00Z"), new Date("2026-04-01T00:00:00Z")]

let database: ProjectClient
beforeAll(async () => {
  database = await openProjectClient([
    "set session_replication_role = replica",
    `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
     select gen_random_uuid(), md5((n % ${users})::text)::uuid, 'lesson', '{}', timestamptz '2026-03-02Z' + n * interval '1 second'
     from generate_series(1, ${many}) as n`,
    `insert into user_active_days (app_user_id, day)
     select distinct app_user_id, (occurred_at at time zone 'UTC')::date from engagement_events`,
    "insert into introduced_reactions (name) values ('analytics.activity') on conflict do nothing",
    "vacuum analyze",
  ])
})
afterAll(() => database.close())

it("who was active in a month is counted by days, not by events [B12]", async () => {
  const nodes = await planNodes(database.client, (statements) => countActive(statements, since, until, 1_000))
  const read = nodes.map((node) => node["Actual Rows"] * node["Actual Loops"] + (node["Rows Removed by Filter"] ?? 0))
  expect(Math.max(...read)).toBe(users)
})
