import type { ContentDeliveries } from "@hearth/core/content"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { makeDeliveries } from "../../../src/postgres/content/schedules.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const items = 50_000
const shape = (name: string, ...columns: ReadonlyArray<string>) => ({
  ...{ name, columns, json: new Set<string>(), nullable: new Set<string>(), uniqueKeys: new Map() },
})

describe("the plans of picks", () => {
  let database: ProjectClient
  let from: { readonly library_id: string; readonly include_authored: boolean }
  let schedule_id: string

  beforeAll(async () => {
    database = await openProjectClient([
      "insert into content_libraries (id, name, created_at) select gen_random_uuid(), 'x', now() from generate_series(1, 2)",
      `insert into content_items (id, library_id, body, tags, metadata, is_premium, is_active, sort_order, moderation,
         created_at, updated_at)
       select gen_random_uuid(), l.id, repeat('x', 200), '[]', '{}', false, true, n, 'shown', now(), now()
       from generate_series(1, ${items}) as n, content_libraries l`,
      `insert into content_schedules (id, library_id, name, schedule_type, config, is_active, config_key, looks_from, round,
         created_at, updated_at)
       select gen_random_uuid(), id, 'x', 'random', '{}', true, id::text, now(), 1, now(), now() from content_libraries`,
      `insert into content_deliveries (id, schedule_id, item_id, round, delivered_at)
       select gen_random_uuid(), s.id, i.id, r, now() - (i.sort_order % 400) * interval '1 day'
       from content_schedules s join content_items i on i.library_id = s.library_id, generate_series(0, 1) as r
       where i.sort_order % 2 = r`,
      "vacuum analyze",
    ])
    const [row] = (await database.client.query("select id, library_id from content_schedules limit 1")).rows
    from = { library_id: row.library_id, include_authored: false }
    schedule_id = row.id
  })
  afterAll(() => database.close())

  const run = async (work: (rows: ContentDeliveries) => Effect.Effect<unknown>, explain: string) => {
    const plans: Array<string> = []
    const rows = (text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.promise(async () => {
        const answer = await database.client.query(`${explain} ${text}`, [...values])
        plans.push(JSON.stringify(answer.rows))
        return explain === "" ? answer.rows : []
      })
    const statements = { rows } as unknown as Statements
    const deliveries = makeDeliveries(
      statements,
      shape("content_deliveries", "id"),
      shape("content_items", "id", "body", "tags", "metadata"),
    )
    const before = performance.now()
    await Effect.runPromise(work(deliveries))
    return { plans, millis: performance.now() - before }
  }
  const readPlan = async (work: (rows: ContentDeliveries) => Effect.Effect<unknown>) => {
    const { plans } = await run(work, "explain (format json)")
    return { indexes: [...plans.join().matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name), plans }
  }

  it("in order read the items that they pick, and no other", async () => {
    for (const after of [null, { sort_order: 25_000, id: schedule_id }]) {
      const { indexes, plans } = await readPlan((rows) => rows.listPickable(from, after, 1))
      expect(indexes).toEqual(["content_items_active_index"])
      expect(plans.join()).not.toContain("Sort Key")
    }
  })

  it("of a day read what was delivered in it", async () => {
    const page = { limit: 50, offset: 0 }
    const { plans } = await readPlan((rows) => rows.pageBetween(new Date(0), new Date(1), schedule_id, page))
    for (const plan of plans) expect(plan).toContain("content_deliveries_delivered_at_id_index")
  })

  it("at random are one statement of a fraction of a second, however large the library", async () => {
    const draw = await run((rows) => rows.draw({ ...from, schedule_id, round: 1, last_item_id: null }, 0.9), "")
    expect(draw.plans).toHaveLength(1)
    // Those of even places are unseen.
    expect(JSON.parse(draw.plans[0] ?? "").map((row: { sort_order: number }) => row.sort_order)).toEqual([
      ...[0.9 * items + 2, 0.9 * items + 1],
    ])
    // Some 200 ms on a busy machine. A plan that looks at the deliveries once per item takes minutes.
    expect(draw.millis).toBeLessThan(20_000)
  })
})
