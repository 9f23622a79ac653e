import type { Clock } from "@hearth/core"
import type { Effect } from "effect"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { makeEvents } from "../../../src/postgres/events/events.ts"
import { makeQualifyingEvents } from "../../../src/postgres/streaks/qualifying-events.ts"
import { makeXpEntries } from "../../../src/postgres/xp/ledger.ts"
import { planNodes } from "../plan-nodes.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const [many, piece] = [30_000, 2_000]
const user = "00000000-0000-4000-8000-000000000001"
const streak = "00000000-0000-4000-9000-000000000001"
const clock: Clock = { now: () => new Date() }
const shape = {
  name: "xp_entries",
  columns: ["id"],
  json: new Set<string>(),
  nullable: new Set<string>(),
  uniqueKeys: new Map(),
}

let database: ProjectClient
beforeAll(async () => {
  database = await openProjectClient([
    "set session_replication_role = replica",
    `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
     select gen_random_uuid(), '${user}', 'lesson', '{}', now() - n * interval '1 minute'
     from generate_series(1, ${many}) as n`,
    `insert into xp_entries (id, app_user_id, amount, source, cause_key, occurred_at, created_at, is_ranked)
     select gen_random_uuid(), '${user}', 1, 'event', 'events/' || n, now(), now(), true
     from generate_series(1, ${many}) as n`,
    `insert into qualifying_events (app_user_id, streak_definition_id, occurred_at, day, events)
     select '${user}', '${streak}', now() - n * interval '1 minute', current_date, 1
     from generate_series(1, ${many}) as n`,
    "vacuum analyze",
  ])
})
afterAll(() => database.close())

it.each<[string, (statements: Statements) => Effect.Effect<unknown>]>([
  ["events", (statements) => makeEvents({ ...statements, autocommit: null }, clock).removeSome(user, piece)],
  ["entries of XP", (statements) => makeXpEntries(statements, shape).removeSome(user, piece)],
  ["what streaks have counted", (statements) => makeQualifyingEvents(statements).removeSome(user, piece)],
])("a piece of a user's %s reads that piece, not the table [I0.4]", async (_, remove) => {
  const nodes = await planNodes(database.client, remove)
  const read = nodes.map((node) => node["Actual Rows"] * node["Actual Loops"] + (node["Rows Removed by Filter"] ?? 0))
  expect(Math.max(...read)).toBe(piece)
})
