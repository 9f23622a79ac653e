import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

interface Item {
  readonly id: string
  readonly actor_id: string
  readonly action: string
  readonly target_id: string | null
  readonly created_at: string
  readonly actor: { readonly id: string }
}

interface Rule {
  readonly id: string
  readonly action: string
  readonly is_active: boolean
}

describe("feeds, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let sql: Sql

  beforeAll(async () => {
    const folder = harness.folder()
    server = await harness.server({ DATA_DIR: folder })
    sql = sqlIn(folder)
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const admin = <Data = Rule>(method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `${project.admin}/feeds/${path}`, project.owner.as, body)
  const aRule = async (source_event: string, fields: object = {}) =>
    (await admin("POST", "rules", { source_event, action: "did", ...fields })).data
  const user = () => aUser(server.api, project)
  const call = <Data = unknown>({ as }: TestUser, method: string, path: string) =>
    server.api.call<Data>(method, `/client/${path}`, as)
  const feed = async (as: TestUser, query = "") => {
    const answer = await call<ReadonlyArray<Item>>(as, "GET", `feed?${query}`)
    const { next_cursor = undefined } = JSON.parse(answer.text)
    return { ...answer, next_cursor }
  }
  const ingest = (...events: ReadonlyArray<object>) =>
    server.api.ok("POST", `${project.admin}/events`, project.owner.as, { events })
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const actors = async (as: TestUser, query = "") => (await feed(as, query)).data?.map(({ actor_id }) => actor_id)

  it.each([
    ["nothing", {}],
    ["no action", { source_event: "lesson" }],
    ["message_sent", { source_event: "message_sent", action: "wrote" }],
    ["an action of 65", { source_event: "lesson", action: "x".repeat(65) }],
    ["an empty action", { source_event: "lesson", action: "" }],
    ["an empty target type", { source_event: "lesson", action: "did", target_type: "" }],
    ["a target type that is a list", { source_event: "lesson", action: "did", target_type: [] }],
  ])("refuses a rule with %s [I3.1]", async (_, body) => {
    expect(brief(await admin("POST", "rules", body))).toEqual([400, "INVALID_INPUT"])
  })

  it("keeps rules as they are given; a PATCH changes what is in it [I3.1]", async () => {
    const made = await admin("POST", "rules", {
      source_event: "kept",
      action: "did",
      is_active: false,
      id: randomUUID(),
    })
    expect(made).toMatchObject({ status: 201, data: { source_event: "kept", target_type: null, is_active: true } })
    const { id } = made.data
    const patch = (body: object) => admin("PATCH", `rules/${id}`, body)
    expect(await patch({})).toMatchObject({ status: 200, data: made.data })
    expect(await patch({ target_type: "book" })).toMatchObject({ data: { ...made.data, target_type: "book" } })
    expect(await patch({ target_type: null, is_active: false })).toMatchObject({ data: { target_type: null } })
    expect(brief(await patch({ source_event: "message_sent" }))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await patch({ is_active: null }))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await admin("PATCH", `rules/${randomUUID()}`, { action: "x" }))).toEqual([404, "NOT_FOUND"])
    expect(brief(await admin("PATCH", "rules/none", { action: "x" }))).toEqual([404, "NOT_FOUND"])
    const listed = await admin<ReadonlyArray<Rule>>("GET", "rules?limit=1000")
    expect(JSON.parse(listed.text)).toMatchObject({ total: listed.data.length, offset: 0, limit: 1000 })
    expect(listed.data.find((rule) => rule.id === id)).toMatchObject({ is_active: false })
    for (const _ of [1, 2]) expect(await admin("DELETE", `rules/${id}`)).toMatchObject({ status: 200 })
  })

  it("makes one item per event and rule, as it occurred, with its target and its actor [I3.1]", async () => {
    const ada = await user()
    await aRule("read", { action: "has read", target_type: "book" })
    await aRule("read", { action: "reads" })
    await aRule("read", { action: "off" }).then(({ id }) => admin("PATCH", `rules/${id}`, { is_active: false }))
    const occurred_at = new Date(Date.now() - 3_600_000).toISOString()
    const event = {
      app_user_id: ada.id,
      event_name: "read",
      properties: { book_id: "b-1" },
      occurred_at,
      event_id: "e",
    }
    await ingest(event, event)
    await ingest(event)
    await ingest({
      app_user_id: ada.id,
      event_name: "read",
      occurred_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    await expect.poll(async () => (await feed(ada, "scope=mine")).data.length).toBe(4)
    const { data } = await feed(ada, "scope=mine")
    expect(data.slice(2)).toEqual(
      expect.arrayContaining(
        [
          ["has read", "b-1"],
          ["reads", null],
        ].map(([action, target_id]) => ({
          ...{ id: expect.any(String), actor_id: ada.id, action, target_id, created_at: occurred_at },
          actor: { id: ada.id, display_name: expect.any(String), avatar_url: null },
        })),
      ),
    )
    // What lies in the future is as new as it was handled.
    for (const { created_at } of data.slice(0, 2)) expect(Date.parse(created_at)).toBeLessThanOrEqual(Date.now())
    const rules = (await admin<ReadonlyArray<Rule>>("GET", "rules?limit=1000")).data
    for (const { id } of rules) await admin("DELETE", `rules/${id}`)
    // Items outlive their rules.
    expect((await feed(ada, "scope=mine")).data).toEqual(data)
  })

  /** Writes items of these users, each a minute newer than the one before. */
  const writeItems = async (start: string, ...of: ReadonlyArray<string>) => {
    const rows = of.map((actor, at) => ({ id: randomUUID(), actor, at: new Date(Date.parse(start) + at * 60_000) }))
    await sql.rows(
      project.id,
      `insert into feed_items (id, event_id, rule_id, actor_id, action, created_at)
       select id, gen_random_uuid(), gen_random_uuid(), actor, 'wrote', at
       from unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) as given (id, actor, at)`,
      [rows.map(({ id }) => id), rows.map(({ actor }) => actor), rows.map(({ at }) => at.toISOString())],
    )
    return rows.map(({ id }) => id)
  }

  it("shows scopes, newest first, without users of whom either blocked the other [I3.2]", async () => {
    const [ada, bob, eve, dan] = [await user(), await user(), await user(), await user()]
    await writeItems("2030-01-01T00:00:00Z", ada.id, bob.id, eve.id, dan.id)
    await call(ada, "POST", `follows/${bob.id}`)
    expect((await actors(ada))?.slice(0, 4)).toEqual([dan.id, eve.id, bob.id, ada.id])
    expect(await actors(ada, "scope=following")).toEqual([bob.id])
    expect(await actors(ada, "scope=mine")).toEqual([ada.id])
    await call(ada, "POST", `blocks/${bob.id}`)
    await call(eve, "POST", `blocks/${ada.id}`)
    expect((await actors(ada))?.slice(0, 2)).toEqual([dan.id, ada.id])
    expect(await actors(ada, "scope=following")).toEqual([])
    expect((await actors(bob))?.slice(0, 3)).toEqual([dan.id, eve.id, bob.id])
    // Developers see all.
    const listed = await admin<ReadonlyArray<Item>>("GET", "items?limit=4&action=wrote")
    expect(listed.data.map(({ actor_id }) => actor_id)).toEqual([dan.id, eve.id, bob.id, ada.id])
    await sql.rows(project.id, "delete from feed_items where created_at > '2029-01-01'")
  })

  it("pages to an end that is null, also over more items than it looks through at once [I3.2]", async () => {
    const [ada, bob, eve] = [await user(), await user(), await user()]
    await call(ada, "POST", `blocks/${bob.id}`)
    const noise = Array<string>(400).fill(bob.id)
    const ids = await writeItems("2031-01-01T00:00:00Z", eve.id, ...noise, eve.id, eve.id)
    const found: Array<string> = []
    let [pages, isShort, query] = [0, false, "limit=1"]
    for (;;) {
      const { status, data, next_cursor } = await feed(ada, query)
      expect([status, data.length <= 1]).toEqual([200, true])
      pages += 1
      isShort ||= data.length === 0
      found.push(...data.filter(({ actor_id }) => actor_id === eve.id).map(({ id }) => id))
      if (next_cursor === null) break
      query = `limit=1&cursor=${next_cursor}`
    }
    expect([found, isShort, pages < 60]).toEqual([[ids.at(-1), ids.at(-2), ids[0]], true, true])
    await sql.rows(project.id, "delete from feed_items where created_at > '2029-01-01'")
  })

  it("refuses limits, scopes and cursors that are none, also a cursor edited in any part [I3.2]", async () => {
    const ada = await user()
    await writeItems("2032-01-01T00:00:00Z", ada.id, ada.id, ada.id)
    const { next_cursor } = await feed(ada, "scope=mine&limit=2")
    expect((await feed(ada, `scope=mine&cursor=${next_cursor}`)).data).toHaveLength(1)
    const edited = [0, 5, 20, 40, 60, 80].map((at) => {
      const other = next_cursor[at] === "A" ? "B" : "A"
      return next_cursor.slice(0, at) + other + next_cursor.slice(at + 1)
    })
    for (const cursor of ["", "x", `${next_cursor}A`, next_cursor.slice(1), "null", "%00", ...edited])
      expect([cursor, brief(await feed(ada, `scope=mine&cursor=${cursor}`))]).toEqual([cursor, [400, "INVALID_CURSOR"]])
    for (const limit of ["0", "101", "-1", "x", "", "1.5"])
      expect(brief(await feed(ada, `limit=${limit}`))).toEqual([400, "INVALID_LIMIT"])
    for (const scope of ["", "none", "group:", "group:x", "ALL"])
      expect(brief(await feed(ada, `scope=${scope}`))).toEqual([400, "INVALID_INPUT"])
    expect(brief(await feed(ada, `scope=group:${randomUUID()}`))).toEqual([404, "NOT_FOUND"])
    expect(brief(await admin("GET", "items?action="))).toEqual([400, "INVALID_INPUT"])
    expect((await feed(ada, "limit=100")).status).toBe(200)
    await sql.rows(project.id, "delete from feed_items where created_at > '2029-01-01'")
  })

  it("shows what was done in a private group to its members, in the group and nowhere else [I3.1, I3.2]", async () => {
    const [ada, bob, eve] = [await user(), await user(), await user()]
    const rule = await aRule("group_joined", { action: "joined", target_type: "group" })
    const made = await server.api.ok<{ id: string }>("POST", "/client/groups", ada.as, {
      name: "Secret",
      is_public: false,
    })
    await server.api.ok("POST", `${project.admin}/groups/${made.id}/members`, project.owner.as, { app_user_id: bob.id })
    const scope = `scope=group:${made.id}`
    await expect.poll(async () => (await actors(ada, scope))?.length).toBe(1)
    await call(ada, "POST", `follows/${bob.id}`)
    await call(eve, "POST", `follows/${bob.id}`)
    expect([await actors(ada, scope), await actors(bob, scope), await actors(bob, "scope=mine")]).toEqual([
      ...[[bob.id], [bob.id], [bob.id]],
    ])
    for (const reader of [ada, bob, eve]) {
      expect(await actors(reader, "scope=all")).not.toContain(bob.id)
      expect(await actors(reader, "scope=following")).toEqual([])
    }
    const refused = await feed(eve, scope)
    const unknown = await feed(eve, `scope=group:${randomUUID()}`)
    expect([brief(refused), refused.text.replace(/"request_id":"[^"]*"/, "")]).toEqual([
      ...[[404, "NOT_FOUND"], unknown.text.replace(/"request_id":"[^"]*"/, "")],
    ])
    // A block between two members hides them from each other, also there.
    await call(ada, "POST", `blocks/${bob.id}`)
    expect([await actors(ada, scope), await actors(bob, scope)]).toEqual([[], [bob.id]])
    await admin("DELETE", `rules/${rule.id}`)
  })

  it("removes an item for good, and again [I3.1]", async () => {
    const ada = await user()
    const [id] = await writeItems("2033-01-01T00:00:00Z", ada.id)
    for (const _ of [1, 2])
      expect(await admin("DELETE", `items/${id}`)).toMatchObject({ status: 200, data: { deleted: true } })
    expect(await actors(ada, "scope=mine")).toEqual([])
    expect(brief(await admin("DELETE", "items/none"))).toEqual([404, "NOT_FOUND"])
  })

  it("loses the items of a user who is removed, and no others [I0.4]", async () => {
    const [ada, bob] = [await user(), await user()]
    await writeItems("2034-01-01T00:00:00Z", ...Array<string>(1_200).fill(ada.id), bob.id)
    await server.api.ok("DELETE", "/client/users/me", ada.as)
    expect(await actors(bob, "limit=1")).toEqual([bob.id])
    const count = "select count(*)::int from feed_items where actor_id = $1"
    expect(await sql.rows(project.id, count, [ada.id])).toEqual([{ count: 0 }])
    await sql.rows(project.id, "delete from feed_items where created_at > '2029-01-01'")
  })
})
