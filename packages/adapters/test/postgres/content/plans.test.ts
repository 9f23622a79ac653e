import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Statements } from "../../../src/postgres/connections/statements.ts"
import { makeItems } from "../../../src/postgres/content/items.ts"
import { openProjectClient, type ProjectClient } from "../project-client.ts"

const libraries = 10
const items = 40_000
const someId = "00000000-0000-7000-8000-000000000000"
const shape = {
  name: "content_items",
  columns: ["id", "body", "tags", "metadata", "sort_order"],
  json: new Set<string>(),
  nullable: new Set<string>(),
  uniqueKeys: new Map(),
}

describe("the plans of items", () => {
  let database: ProjectClient
  let libraryId: string
  let userId: string

  beforeAll(async () => {
    database = await openProjectClient([
      `insert into app_users (id, display_name, anonymous_id, auth_providers, properties, first_seen_at, last_seen_at,
         is_disabled, created_at, updated_at)
       select gen_random_uuid(), 'x', 'anon_' || n, '[]', '{}', now(), now(), false, now(), now()
       from generate_series(1, 500) as n`,
      `insert into content_libraries (id, name, created_at)
       select gen_random_uuid(), 'x', now() from generate_series(1, ${libraries})`,
      `insert into content_items (id, library_id, body, category, tags, metadata, is_premium, is_active, sort_order,
         owner_app_user_id, moderation, created_at, updated_at)
       select gen_random_uuid(), l.ids[1 + n % ${libraries}], repeat('x', 500), 'c' || n / ${libraries} % 50, '[]', '{}', false, n % 10 > 0, n,
         case when n % 4 = 0 then u.ids[1 + n % 500] end, 'shown', now() - n * interval '1 second', now()
       from generate_series(1, ${items}) as n, (select array_agg(id) as ids from content_libraries) as l,
         (select array_agg(id) as ids from app_users) as u`,
      "vacuum analyze",
    ])
    // While another transaction of the database runs, no row is noted as one that all see.
    for (let seen = 0; seen === 0; ) {
      await database.client.query("vacuum content_items")
      const found = await database.client.query("select relallvisible from pg_class where relname = 'content_items'")
      seen = found.rows[0].relallvisible
    }
    libraryId = (await database.client.query("select id from content_libraries limit 1")).rows[0].id
    userId = (await database.client.query("select owner_app_user_id as id from content_items where sort_order = 4"))
      .rows[0].id
  })
  afterAll(() => database.close())

  /** The indexes that the statements use, and whether they read the table of items as a whole, or sort it. */
  const planOf = async (work: (statements: Statements) => Effect.Effect<unknown>) => {
    let plan = ""
    const explain = (text: string, values: ReadonlyArray<unknown> = []) =>
      Effect.promise(async () => {
        plan += JSON.stringify((await database.client.query(`explain (format json) ${text}`, [...values])).rows)
        return []
      })
    await Effect.runPromise(Effect.exit(work({ rows: explain, count: explain } as unknown as Statements)))
    return {
      indexes: new Set([...plan.matchAll(/"Index Name":"(\w+)"/g)].map(([, name]) => name)),
      isWhole: /"Node Type":"Seq Scan"[^}]*?"Relation Name":"content_items"/.test(plan),
      isSorted: plan.includes('"Sort Key"'),
    }
  }
  const of = (work: (rows: ReturnType<typeof makeItems>) => Effect.Effect<unknown>) =>
    planOf((statements) => work(makeItems(statements, shape)))

  it("look for the highest number of a library by its index", async () => {
    const given = { id: someId, library_id: libraryId, title: null, body: "b", media_url: null, category: null }
    const flags = { is_premium: false, is_active: true, owner_app_user_id: null, moderation: "shown" } as const
    const row = { ...given, ...flags, tags: [], metadata: {}, created_at: new Date(), updated_at: new Date() }
    const { indexes, isWhole } = await of((rows) => rows.append(libraryId, [row]))
    expect([indexes, isWhole]).toEqual([new Set(["content_items_library_id_sort_order_index"]), false])
  })

  it("read a page of a library in its order, without sorting", async () => {
    const page = { limit: 50, offset: 0 }
    for (const reader of [null, userId]) {
      const found = await planOf((statements) => {
        const first = {
          ...statements,
          rows: (text: string, values?: ReadonlyArray<unknown>) =>
            text.includes("count(*)::int as total") ? Effect.succeed([]) : statements.rows(text, values),
        } as Statements
        return makeItems(first, shape).pageOfLibrary(libraryId, { reader, category: null }, page)
      })
      expect(found).toEqual({ indexes: new Set(["content_items_active_index"]), isWhole: false, isSorted: false })
    }
  })

  it("read a category of a library, and count what a user sees of it, by an index that has all of it", async () => {
    const page = { limit: 50, offset: 0 }
    const only = async (isCount: boolean, category: string | null) =>
      planOf((statements) => {
        const one = {
          ...statements,
          rows: (text: string, values?: ReadonlyArray<unknown>) =>
            text.includes("count(*)::int as total") === isCount ? statements.rows(text, values) : Effect.succeed([]),
        } as Statements
        return makeItems(one, shape).pageOfLibrary(libraryId, { reader: userId, category }, page)
      })
    const own = new Set(["content_items_category_index"])
    expect((await only(false, "c1")).indexes).toEqual(own)
    for (const category of [null, "c1"]) expect((await only(true, category)).indexes).toEqual(own)
  })

  it("count and release the items of a user by their index", async () => {
    const own = new Set(["content_items_owner_index"])
    expect((await of((rows) => rows.countOwned(userId))).indexes).toEqual(own)
    const released = await of((rows) => rows.release(userId, 500))
    expect([...released.indexes]).toContain("content_items_owner_index")
    expect(released.isWhole).toBe(false)
  })

  it("find the newest of users by their index", async () => {
    const found = await of((rows) => rows.newestOfUsers(1_000))
    expect(found).toEqual({ indexes: new Set(["content_items_newest_index"]), isWhole: false, isSorted: false })
  })

  it("remove a piece of a library without reading the others", async () => {
    const { indexes, isWhole } = await of((rows) => rows.removeSome(libraryId, 100))
    expect(isWhole).toBe(false)
    expect([...indexes].some((name) => name?.startsWith("content_items_library_id"))).toBe(true)
  })
})
