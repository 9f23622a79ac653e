import { exportSections } from "@hearth/core"
import {
  type ExportColumns,
  eventExportColumns,
  type PageKey,
  type TextPage,
  userExportColumns,
} from "@hearth/core/exports"
import { segmentMembershipsSection } from "@hearth/core/segments"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it, onTestFinished, test } from "vitest"
import type { Statement } from "../../../src/postgres/connections/connection.ts"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { makeEventsReading } from "../../../src/postgres/events/read-events.ts"
import { makeExports } from "../../../src/postgres/exports/exports.ts"
import { systemClock } from "../../../src/system/index.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"
import { ids } from "../server.ts"

const day = 86_400_000
const noFilter = { since: null, segment_id: null }
const since = new Date(Date.now() - 90 * day)

describe("reading of many rows", () => {
  let database: ProjectClient
  let rare = ""

  beforeAll(async () => {
    database = await openProjectClient([
      `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       select gen_random_uuid(), 'x', 'anon_' || n, '[]', '{}', now(), now(), false, now(), now()
       from generate_series(1, 300) as n`,
      `insert into engagement_events (id, app_user_id, event_name, properties, occurred_at)
       select gen_random_uuid(), users.ids[1 + n % 300], case when n % 1000 = 0 then 'rare' else 'often ' || n % 5 end, '{}',
         now() - make_interval(secs => n * 60)
       from generate_series(1, 30000) as n, (select array_agg(id) as ids from app_users) as users`,
      "vacuum analyze",
    ])
    rare = (await database.client.query("select id from app_users limit 1")).rows[0].id
  })
  afterAll(() => database.close())

  const bound = ({ text, values }: Statement) => ({
    text,
    values: values.map((value) => (value instanceof Date ? value.toISOString() : value)),
  })
  const statementsOn = (
    run: (statement: { text: string; values: Array<unknown> }) => Promise<ReadonlyArray<unknown>>,
  ) => ({ rows: (text, values = []) => Effect.promise(() => run(bound({ text, values }))) }) as Statements
  const real = statementsOn(async (statement) => (await database.client.query(statement)).rows)

  /** The indexes that the plan of a statement uses, and whether it sorts or reads whole tables. */
  const planOf = async (work: (statements: Statements) => Effect.Effect<unknown>) => {
    let plan = ""
    const explained = statementsOn(async ({ text, values }) => {
      plan += JSON.stringify((await database.client.query({ text: `explain (format json) ${text}`, values })).rows)
      return []
    })
    await Effect.runPromise(Effect.exit(work(explained)))
    const indexes = [...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name)
    return {
      indexes: new Set(indexes),
      sorts: /"Node Type":"(Incremental )?Sort"/.test(plan),
      scans: /Seq Scan/.test(plan),
    }
  }
  const index = (columns: string) => `engagement_events_${columns}_occurred_at_id_index`
  const byTime = "engagement_events_occurred_at_id_index"
  const position = { occurred_at: new Date(Date.now() - 10 * day), id: ids.uuid() }

  test.each([null, position])("a page of the log is read from the index that fits, after %j", async (after) => {
    const tail = (filter: object) =>
      planOf((statements) => makeEventsReading(statements).tail({ since, until: null, ...filter }, after, 100))
    expect(await tail({})).toEqual({ indexes: new Set([byTime]), sorts: false, scans: false })
    // May sort: the matching events are few, so sorting them is as cheap as reading them in order.
    const named = await tail({ event_name: "rare" })
    expect(named).toMatchObject({ indexes: new Set([index("event_name")]), scans: false })
    const own = await tail({ app_user_id: rare })
    expect(own).toMatchObject({ indexes: new Set([index("app_user_id")]), scans: false })
    const often = await tail({ event_name: "often 1" })
    expect(often).toMatchObject({ sorts: false, scans: false })
  })

  it("counts and a user's events are read from the index that fits", async () => {
    const range = { since: new Date(Date.now() - day), until: new Date() }
    const count = (more: object) => planOf((statements) => makeEventsReading(statements).count({ ...range, ...more }))
    expect(await count({})).toMatchObject({ indexes: new Set([byTime]), scans: false })
    expect(await count({ event_name: "rare" })).toMatchObject({ indexes: new Set([index("event_name")]), scans: false })
    const slice = { limit: 50, offset: 0 }
    const page = await planOf((statements) => makeEventsReading(statements).pageOfUser(rare, slice))
    // Counted in the smallest index that has the user, read in the one of their order.
    expect(page.scans).toBe(false)
    expect([...page.indexes]).toContain(index("app_user_id"))
    expect([...page.indexes].every((name) => name?.startsWith("engagement_events_app_user_id"))).toBe(true)
  })

  it("pages of files are read from the index of their order", async () => {
    const budget = { rows: 50, bytes: 100_000 }
    const all = { user_id: rare, since: null, until: null, event_name: null }
    const key: PageKey = [position.occurred_at.toISOString(), position.id]
    const events = (after: PageKey | null) =>
      planOf((statements) => makeExports(statements, systemClock).userEvents("csv", all, after, budget))
    for (const after of [null, key]) {
      const plan = await events(after)
      expect(plan.scans).toBe(false)
      expect([...plan.indexes]).toContain(index("app_user_id"))
    }
    const users = await planOf((statements) =>
      makeExports(statements, systemClock).users("csv", noFilter, [position.id], budget),
    )
    expect([...users.indexes]).toContain("app_users_pkey")
  })

  const idsOf = ({ texts }: TextPage): ReadonlyArray<string> =>
    texts.flatMap((text) => text.trimEnd().split("\n")).map((line) => JSON.parse(line).id)

  it("has eight texts for a page, in the order of its rows whatever order they come in", async () => {
    const budget = { rows: 240, bytes: 500_000 }
    const read = (statements: Statements) =>
      Effect.runPromise(makeExports(statements, systemClock).users("ndjson", noFilter, null, budget))
    const backwards = statementsOn(async (statement) => (await database.client.query(statement)).rows.toReversed())
    const page = await read(real)
    expect(page.texts.map((text) => text.split("\n").length - 1)).toEqual(Array.from({ length: 8 }, () => 30))
    const ids = idsOf(page)
    expect(ids).toEqual(ids.toSorted())
    expect(page.next).toEqual([ids.at(-1)])
    expect(await read(backwards)).toEqual(page)
  })

  it("keeps to its budget of bytes where values are compressed", async () => {
    await database.client.query("begin")
    onTestFinished(async () => void (await database.client.query("rollback")))
    await database.client.query(
      `update app_users set properties = jsonb_build_object('text', repeat('abcdefghij', 6000)) where id <> '${rare}'`,
    )
    const exports = makeExports(real, systemClock)
    const budget = { rows: 5_000, bytes: 500_000 }
    const ids: Array<string> = []
    let after: PageKey | null = null
    do {
      const page: TextPage = await Effect.runPromise(exports.users("ndjson", noFilter, after, budget))
      expect(page.texts.join("").length).toBeLessThan(budget.bytes + 61_000)
      // No text is much longer than 64 KB: one line more.
      for (const text of page.texts) expect(text.length).toBeLessThan(64 * 1024 + 61_000)
      expect(idsOf(page)).toHaveLength(page.rows)
      ids.push(...idsOf(page))
      after = page.next
    } while (after !== null)
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(300)
  })

  it("has the memberships of a user, by segment", async () => {
    const segments = await database.client.query(
      `insert into segments (id, name, rules, is_system, user_count, created_at)
       select gen_random_uuid(), 'Segment', '{}', false, 0, now() from generate_series(1, 3) returning id`,
    )
    await database.client.query(
      "insert into segment_memberships select id, $1, true, '2026-01-02T03:04:05.060Z' from segments where name = 'Segment'",
      [rare],
    )
    const exports = makeExports(real, systemClock)
    let [text, after]: [string, PageKey | null] = ["", null]
    do {
      const page: TextPage = await Effect.runPromise(
        exports.section(segmentMembershipsSection, rare, after, { rows: 1, bytes: 1_000 }),
      )
      text += page.texts.join("")
      after = page.next
    } while (after !== null)
    const rest = { app_user_id: rare, is_manual: true, added_at: "2026-01-02T03:04:05.060Z" }
    const expected = segments.rows.map(({ id }) => id as string).toSorted()
    expect(
      text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(expected.map((segment_id) => ({ section: "segment_memberships", data: { segment_id, ...rest } })))
  })

  const shapes: ReadonlyArray<readonly [string, ExportColumns]> = [
    ["app_users", userExportColumns.slice(0, -2)],
    ["engagement_events", eventExportColumns],
    // What is computed is no table.
    ...exportSections.flatMap((section) => ("read" in section ? [] : [[section.name, section.columns] as const])),
  ]
  const types: Readonly<Record<string, string>> = {
    ...{ uuid: "uuid", text: "text", day: "date", instant: "timestamptz", boolean: "bool", json: "jsonb" },
    ...{ count: "int4", whole: "int4", amount: "float8", number: "float8", money: "numeric" },
  }
  // A null in a column described as not nullable would make the whole line null.
  it.each(shapes)("describes the types and nullability of the columns of %s", async (table, columns) => {
    const { rows } = await database.client.query(
      `select column_name as name, udt_name as type, is_nullable = 'YES' as "isNullable"
       from information_schema.columns where table_name = $1`,
      [table],
    )
    const described = columns.map(({ name, kind, isNullable }) => ({ name, type: types[kind], isNullable }))
    expect(described).toEqual(columns.map((column) => rows.find(({ name }) => name === column.name)))
  })
})
