import type { EventFilter, EventPosition } from "@hearth/core/events"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeEventsReading } from "../../../src/postgres/events/read-events.ts"
import { planNodes } from "../plan-nodes.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const idOf = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`
const dayMillis = 24 * 60 * 60_000
const since = new Date(Date.now() - 30 * dayMillis)
const at = new Date(Date.now() - 3 * dayMillis)

describe("the plans of the tail", () => {
  let database: ProjectClient

  beforeAll(async () => {
    database = await openProjectClient([
      `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       select ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, 'x', 'anon_' || n, '[]', '{}', now(), now(), false,
         now(), now() from generate_series(1, 100) as n`,
      // More than half is of one user, and has a name that has not been sent for the last days.
      `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
       select gen_random_uuid(), ('00000000-0000-4000-8000-' || lpad(to_hex(case when n < 60000 then 1 else 2 + n % 99 end), 12, '0'))::uuid,
         case when n < 60000 then 'renamed' else 'lesson' end, '{}', now() - (100000 - n) * interval '15 seconds'
       from generate_series(1, 100000) as n`,
      "vacuum analyze",
    ])
  })
  afterAll(() => database.close())

  const older: EventPosition = { occurred_at: at, id: idOf(1) }
  const cases: ReadonlyArray<readonly [string, Partial<EventFilter>, EventPosition | null]> = [
    ["all", {}, null],
    ["all, after a position", {}, older],
    ["a name that is no longer sent", { event_name: "renamed" }, null],
    ["such a name, after a position", { event_name: "renamed" }, older],
    ["such a name, until then", { event_name: "renamed", until: at }, null],
    ["a user who has left", { app_user_id: idOf(1) }, null],
    ["such a user, after a position", { app_user_id: idOf(1) }, older],
    ["such a user and such a name", { app_user_id: idOf(1), event_name: "renamed" }, null],
  ]
  it.each(cases)("of %s reads the events of the page, and no others", async (_, filter, after) => {
    const nodes = await planNodes(database.client, (statements) =>
      makeEventsReading(statements).tail({ since, until: null, ...filter }, after, 50),
    )
    const reads = nodes.filter((node) => node["Relation Name"] === "engagement_events")
    const touched = reads.map(
      (node) => node["Actual Rows"] * node["Actual Loops"] + (node["Rows Removed by Filter"] ?? 0),
    )
    expect(reads.map((node) => node["Node Type"])).toEqual(["Index Scan"])
    expect(touched).toEqual([50])
  })
})
