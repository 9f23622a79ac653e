import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aStreak, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Listed {
  readonly id: string
  readonly display_name: string
  readonly streaks: ReadonlyArray<{ readonly streak_definitions: object; readonly current_count: number }>
  readonly entitlements: ReadonlyArray<{ readonly entitlement_id: string }>
}

interface Page {
  readonly data: ReadonlyArray<Listed>
  readonly total: number
  readonly offset: number
  readonly limit: number
}

const nil = "00000000-0000-0000-0000-000000000000"

describe("users, from the outside", () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  /** A project of a test's own. */
  const fresh = () => aProject(server.api, project.owner)
  const aNamedUser = async (of: TestProject, display_name: string) => {
    const user = await aUser(server.api, of)
    await server.api.ok("PATCH", "/client/users/me", user.as, { display_name })
    return user.id
  }
  const page = async (of: TestProject, query = ""): Promise<Page> => {
    const { status, text } = await server.api.call("GET", `${of.admin}/users${query}`, of.owner.as)
    expect([query, status]).toEqual([query, 200])
    return JSON.parse(text)
  }
  const refusal = async (method: string, path: string, body?: unknown, as = project.owner.as) => {
    const { status, code, text } = await server.api.call(method, path, as, body)
    return { status, code, details: JSON.parse(text).error?.details }
  }
  const bulk = (of: TestProject, body: unknown) =>
    server.api.call<{ updated: number; failed: ReadonlyArray<object> }>(
      "POST",
      `${of.admin}/users/bulk-update`,
      of.owner.as,
      body,
    )
  const aSegment = async (of: TestProject, is_system = false) => {
    const id = randomUUID()
    const values = [id, is_system]
    await sql.rows(of.id, `insert into segments values ($1, 'S', null, '{}', $2, 0, null, now())`, values)
    return id
  }
  const countOf = async (of: TestProject, segment: string) =>
    (await sql.rows(of.id, `select user_count from segments where id = $1`, [segment]))[0]?.["user_count"]
  const propertiesOf = async (of: TestProject, id: string) =>
    JSON.stringify((await sql.rows(of.id, `select properties from app_users where id = $1`, [id]))[0]?.["properties"])

  describe("listed", () => {
    it("are pages with total, offset and limit, the last active first", async () => {
      const { api } = server
      const own = await fresh()
      await aStreak(api, own)
      const ids = []
      for (const name of ["First", "Second", "Third"]) ids.push(await aNamedUser(own, name))
      const [first = ""] = ids
      const event = { app_user_id: first, event_name: "lesson_completed" }
      await api.ok("POST", `${own.admin}/events`, own.owner.as, event)
      await api.ok("POST", `${own.admin}/users/${first}/entitlements`, own.owner.as, { entitlement_id: "pro" })
      await expect.poll(async () => (await page(own)).data[0]?.streaks.length).toBe(1)
      const all = await page(own)
      expect(all).toMatchObject({ total: 3, offset: 0, limit: 50 })
      expect(all.data.map(({ display_name }) => display_name)).toEqual(["First", "Third", "Second"])
      expect(all.data[0]).toMatchObject({
        streaks: [{ current_count: 1, streak_definitions: { name: "Lessons", qualifying_event: "lesson_completed" } }],
        entitlements: [{ entitlement_id: "pro", is_active: true, expiration_date: null }],
      })
      const alone = await api.ok("GET", `${own.admin}/users/${first}`, own.owner.as)
      expect(all.data[0]).toEqual(alone)
      const second = await page(own, "?limit=1&offset=1")
      expect(second).toMatchObject({ total: 3, offset: 1, limit: 1 })
      expect(second.data).toEqual(all.data.slice(1, 2))
      expect(await page(own, "?offset=9007199254740991&limit=1000")).toMatchObject({ data: [], total: 3 })
    })

    it.each([
      ["limit=0", "INVALID_LIMIT"],
      ["limit=1001", "INVALID_LIMIT"],
      ["limit=ten", "INVALID_LIMIT"],
      ["limit=-1", "INVALID_LIMIT"],
      ["limit=1.5", "INVALID_LIMIT"],
      ["limit=", "INVALID_LIMIT"],
      ["limit=1&limit=2", "INVALID_LIMIT"],
      ["offset=-1", "INVALID_OFFSET"],
      ["offset=1e3", "INVALID_OFFSET"],
      ["offset=9007199254740992", "INVALID_OFFSET"],
      [`search=${"x".repeat(256)}`, "INVALID_INPUT"],
      ["search=%00", "INVALID_INPUT"],
      ["search=%ED%A0%80", "INVALID_INPUT"],
      ["search=a&search=b", "INVALID_INPUT"],
      ["segment_id=", "INVALID_INPUT"],
      ["segment_id=17", "INVALID_INPUT"],
      [`segment_id={${nil}}`, "INVALID_INPUT"],
      [`segment_id=${nil.replaceAll("-", "")}`, "INVALID_INPUT"],
      [`segment_id=${nil}&segment_id=${nil}`, "INVALID_INPUT"],
      [`segment_id=' or true--`, "INVALID_INPUT"],
      ["ids=", "INVALID_INPUT"],
      [`ids=${nil},`, "INVALID_INPUT"],
      [`ids=${nil}, ${nil}`, "INVALID_INPUT"],
      [`ids=${Array(101).fill(nil).join()}`, "INVALID_INPUT"],
    ])("are refused for ?%s", async (query, code) => {
      expect(await refusal("GET", `${project.admin}/users?${query}`)).toMatchObject({ status: 400, code })
    })

    it("are found by text, in which no character is a wildcard", async () => {
      const own = await fresh()
      const names = ["100% sure", "snake_case", "back\\slash", "Ünïcode 🦊", "'; drop table app_users; --"]
      for (const name of names) await aNamedUser(own, name)
      const found = async (search: string) =>
        (await page(own, `?search=${encodeURIComponent(search)}`)).data.map(({ display_name }) => display_name).sort()
      expect(await found("%")).toEqual(["100% sure"])
      expect(await found("e_c")).toEqual(["snake_case"])
      expect(await found("\\")).toEqual(["back\\slash"])
      expect(await found("ÜNÏ")).toEqual(["Ünïcode 🦊"])
      expect(await found("🦊")).toEqual(["Ünïcode 🦊"])
      expect(await found("%\\_")).toEqual([])
      expect(await found("x".repeat(255))).toEqual([])
      for (const name of names) expect(await found(name)).toEqual([name])
      expect(await found("")).toEqual([...names].sort())
      expect((await page(own, "?search=100%25+sure&limit=1")).total).toBe(1)
    })

    it("are the members of a segment, and none for a segment that is unknown or of another project", async () => {
      const [own, other] = [await fresh(), await fresh()]
      const [ada, segment] = [await aNamedUser(own, "Ada"), await aSegment(own)]
      await aNamedUser(own, "Bob")
      await aNamedUser(other, "Eve")
      expect((await bulk(own, { user_ids: [ada], updates: { add_segment_ids: [segment] } })).status).toBe(200)
      expect((await page(own, `?segment_id=${segment}`)).data.map(({ id }) => id)).toEqual([ada])
      expect((await page(own, `?segment_id=${segment.toUpperCase()}&search=ada`)).total).toBe(1)
      expect((await page(own, `?segment_id=${segment}&search=bob`)).total).toBe(0)
      for (const id of [nil, randomUUID()]) expect((await page(own, `?segment_id=${id}`)).total).toBe(0)
      expect(await page(other, `?segment_id=${segment}`)).toMatchObject({ data: [], total: 0 })
    })

    it("are those of some ids, without those that are not there or of another project", async () => {
      const [own, other] = [await fresh(), await fresh()]
      const [ada, bob, eve] = [
        await aNamedUser(own, "Ada"),
        await aNamedUser(own, "Bob"),
        await aNamedUser(other, "Eve"),
      ]
      const names = async (...ids: ReadonlyArray<string>) =>
        (await page(own, `?ids=${ids.join()}`)).data.map(({ display_name }) => display_name).sort()
      expect(await names(ada.toUpperCase(), bob, eve, nil)).toEqual(["Ada", "Bob"])
      expect(await names(...Array.from({ length: 99 }, () => randomUUID()), bob)).toEqual(["Bob"])
      expect(await names(eve)).toEqual([])
    })
  })

  describe("updated in bulk", () => {
    it("get properties and memberships, and unknown ids are listed", async () => {
      const own = await fresh()
      const [ada, bob] = [await aNamedUser(own, "Ada"), await aNamedUser(own, "Bob")]
      const [joined, left] = [await aSegment(own), await aSegment(own)]
      await bulk(own, { user_ids: [ada, bob], updates: { add_segment_ids: [left] } })
      const missing = randomUUID()
      const answer = await bulk(own, {
        user_ids: [missing, ada.toUpperCase(), ada, nil],
        updates: { properties: { plan: "pro" }, add_segment_ids: [joined.toUpperCase()], remove_segment_ids: [left] },
      })
      expect([answer.status, answer.data]).toEqual([
        200,
        {
          updated: 1,
          failed: [
            { user_id: missing, reason: "NOT_FOUND" },
            { user_id: nil, reason: "NOT_FOUND" },
          ],
        },
      ])
      expect([await countOf(own, joined), await countOf(own, left)]).toEqual([1, 1])
      expect((await page(own, `?segment_id=${left}`)).data.map(({ id }) => id)).toEqual([bob])
      expect(await propertiesOf(own, ada)).toBe('{"plan":"pro"}')
    })

    it("keep a key `__proto__` like any other", async () => {
      const ada = await aNamedUser(project, "Ada")
      const body = JSON.parse(
        `{"user_ids":["${ada}"],"updates":{"properties":{"__proto__":{"admin":true},"constructor":{"prototype":1}}}}`,
      )
      expect((await bulk(project, body)).data).toEqual({ updated: 1, failed: [] })
      expect(await propertiesOf(project, ada)).toBe('{"__proto__":{"admin":true},"constructor":{"prototype":1}}')
      const { text } = await server.api.call("GET", `${project.admin}/users/${ada}`, project.owner.as)
      expect(text).toContain('"properties":{"__proto__":{"admin":true}')
    })

    it("are a thousand at once, and no more", async () => {
      const ada = await aNamedUser(project, "Ada")
      const others = Array.from({ length: 1_000 }, () => randomUUID())
      const updates = { properties: { one: 1 } }
      const { data } = await bulk(project, { user_ids: [ada, ...others.slice(1)], updates })
      expect([data.updated, data.failed.length]).toEqual([1, 999])
      expect(
        await refusal("POST", `${project.admin}/users/bulk-update`, { user_ids: [ada, ...others], updates }),
      ).toEqual({ status: 400, code: "BATCH_TOO_LARGE", details: { limit: 1_000, supplied: 1_001 } })
    })

    it("are not updated where their properties would be too large", async () => {
      const ada = await aNamedUser(project, "Ada")
      const updates = { properties: { text: "x".repeat(70_000) } }
      expect((await bulk(project, { user_ids: [ada], updates })).data).toEqual({
        updated: 0,
        failed: [{ user_id: ada, reason: "PROPERTIES_TOO_LARGE" }],
      })
    })

    it.each([
      [null, "INVALID_BODY"],
      [[], "INVALID_BODY"],
      [{}, "MISSING_USER_IDS"],
      [{ user_ids: [], updates: {} }, "MISSING_USER_IDS"],
      [{ user_ids: nil, updates: {} }, "INVALID_USER_IDS"],
      [{ user_ids: [1] }, "INVALID_USER_IDS"],
      [{ user_ids: [nil] }, "EMPTY_UPDATES"],
      [{ user_ids: [nil], updates: { properties: {} } }, "EMPTY_UPDATES"],
      [{ user_ids: [nil], updates: [] }, "INVALID_BODY"],
      [{ user_ids: [nil], updates: { properties: [] } }, "INVALID_BODY"],
      [{ user_ids: ["me"], updates: { properties: { a: 1 } } }, "INVALID_UUID"],
      [{ user_ids: [`{${nil}}`], updates: { properties: { a: 1 } } }, "INVALID_UUID"],
      [{ user_ids: [nil], updates: { add_segment_ids: [nil.replaceAll("-", "")] } }, "INVALID_UUID"],
    ])("are refused as %j", async (body, code) => {
      expect(await refusal("POST", `${project.admin}/users/bulk-update`, body)).toMatchObject({ status: 400, code })
    })

    it("are not changed by another project, and cannot join its segments", async () => {
      const other = await fresh()
      const [ada, segment] = [await aNamedUser(project, "Ada"), await aSegment(project)]
      const updates = { properties: { stolen: true } }
      expect((await bulk(other, { user_ids: [ada], updates })).data).toEqual({
        updated: 0,
        failed: [{ user_id: ada, reason: "NOT_FOUND" }],
      })
      expect(await propertiesOf(project, ada)).toBe("{}")
      const there = await aNamedUser(other, "Eve")
      const add = { user_ids: [there], updates: { ...updates, add_segment_ids: [segment] } }
      expect(await refusal("POST", `${other.admin}/users/bulk-update`, add)).toEqual({
        ...{ status: 404, code: "NOT_FOUND", details: { segment_ids: [segment] } },
      })
      const remove = { user_ids: [there], updates: { remove_segment_ids: [segment] } }
      expect((await bulk(other, remove)).data).toEqual({ updated: 1, failed: [] })
      expect([await propertiesOf(other, there), await countOf(project, segment)]).toEqual(["{}", 0])
    })

    it("are neither added to system segments nor removed from them", async () => {
      const [ada, system] = [await aNamedUser(project, "Ada"), await aSegment(project, true)]
      for (const list of ["add_segment_ids", "remove_segment_ids"]) {
        const body = { user_ids: [ada], updates: { properties: { a: 1 }, [list]: [system] } }
        expect(await refusal("POST", `${project.admin}/users/bulk-update`, body)).toMatchObject({
          ...{ status: 403, code: "SYSTEM_SEGMENT" },
        })
      }
      expect(await propertiesOf(project, ada)).toBe("{}")
    })
  })

  describe("given entitlements", () => {
    it("have them created once, and refreshed after that", async () => {
      const ada = await aNamedUser(project, "Ada")
      const path = `${project.admin}/users/${ada.toUpperCase()}/entitlements`
      const grant = (body: object) => server.api.call<{ id: string }>("POST", path, project.owner.as, body)
      const [one, two] = await Promise.all([
        grant({ entitlement_id: "pro", store: "web" }),
        grant({ entitlement_id: "pro", store: "web" }),
      ])
      expect([one.status, two.status].sort()).toEqual([200, 201])
      expect(one.data.id).toBe(two.data.id)
      const { status, data } = await grant({
        ...{ entitlement_id: "pro", is_active: false, product_id: "gold", purchase_date: "2026-01-01T01:00:00+01:00" },
        ...{ raw_data: null, unknown: 1 },
      })
      expect([status, data]).toEqual([
        200,
        {
          ...{ id: one.data.id, app_user_id: ada, entitlement_id: "pro", is_active: false, store: "web" },
          ...{ product_id: "gold", purchase_date: "2026-01-01T00:00:00.000Z", expiration_date: null },
          ...{ period_type: null, raw_data: {}, updated_at: expect.any(String) },
        },
      ])
    })

    it.each([
      {},
      { entitlement_id: "" },
      { entitlement_id: "x".repeat(256) },
      { entitlement_id: "pro", is_active: null },
      { entitlement_id: "pro", expiration_date: "tomorrow" },
      { entitlement_id: "pro", raw_data: [] },
      [],
    ])("are refused %j", async (body) => {
      const ada = await aNamedUser(project, "Ada")
      const path = `${project.admin}/users/${ada}/entitlements`
      expect(await refusal("POST", path, body)).toMatchObject({ status: 400, code: "INVALID_INPUT" })
    })

    it("are 404 where they do not exist", async () => {
      const [other, ada] = [await fresh(), await aNamedUser(project, "Ada")]
      for (const id of [nil, randomUUID(), "17", `%7B${nil}%7D`, nil.replaceAll("-", ""), ada]) {
        const path = `${other.admin}/users/${id}/entitlements`
        expect(await refusal("POST", path, { entitlement_id: "pro" })).toMatchObject({ status: 404, code: "NOT_FOUND" })
      }
      expect(await sql.rows(project.id, "select from user_entitlements where app_user_id = $1", [ada])).toEqual([])
    })
  })

  it("can be read by a viewer, and not changed", async () => {
    const { api } = server
    const viewer = await aDeveloper(api)
    const member = { email: viewer.email, role: "viewer" }
    await api.ok("POST", `${project.admin}/members`, project.owner.as, member)
    const ada = await aNamedUser(project, "Ada")
    expect((await api.call("GET", `${project.admin}/users`, viewer.as)).status).toBe(200)
    const update = { user_ids: [ada], updates: { properties: { a: 1 } } }
    const forbidden = { status: 403, code: "FORBIDDEN" }
    expect(await refusal("POST", `${project.admin}/users/bulk-update`, update, viewer.as)).toMatchObject(forbidden)
    const grant = { entitlement_id: "pro" }
    expect(await refusal("POST", `${project.admin}/users/${ada}/entitlements`, grant, viewer.as)).toMatchObject(
      forbidden,
    )
    expect(await propertiesOf(project, ada)).toBe("{}")
  })
})
