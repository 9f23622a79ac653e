import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Row {
  readonly id: string
  readonly sort_order: number
  readonly [field: string]: unknown
}

describe("libraries and items of developers, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const admin = <Data = Row>(method: string, path: string, body?: unknown, of = project) =>
    server.api.call<Data>(method, `${of.admin}/content${path}`, of.owner.as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const aLibrary = async (fields: object = {}) =>
    (await admin("POST", "/libraries", { name: "Tips", ...fields })).data.id
  const insert = (library: string, items: unknown) =>
    admin<ReadonlyArray<Row>>("POST", `/libraries/${library}/items`, { items })
  const anItem = async (library: string, fields: object = {}) => {
    const [row] = (await insert(library, [{ body: "Body", ...fields }])).data
    if (row === undefined) throw new Error("There is no item.")
    return row
  }
  const missing = [404, "NOT_FOUND"]
  const invalid = [400, "INVALID_INPUT"]

  describe("a library", () => {
    it.each([
      ["no name", {}],
      ["an empty name", { name: "" }],
      ["a name of 201 characters", { name: "n".repeat(201) }],
      ["a name that is null", { name: null }],
      ["a description that is no text", { name: "n", description: 1 }],
      ["a schema that is a list", { name: "n", content_schema: [] }],
      ["a schema that is text", { name: "n", content_schema: "{}" }],
    ])("is refused with %s [I1.1]", async (_, body) => {
      expect(brief(await admin("POST", "/libraries", body))).toEqual(invalid)
      const id = await aLibrary()
      if (Object.keys(body).length > 0) expect(brief(await admin("PATCH", `/libraries/${id}`, body))).toEqual(invalid)
    })

    it("has a name, and null for the rest [I1.1]", async () => {
      const made = await admin("POST", "/libraries", { name: "Tips", id: randomUUID(), created_at: "2000-01-01" })
      const { id, created_at } = made.data
      expect([made.status, made.data]).toEqual([
        201,
        { id, name: "Tips", description: null, content_schema: null, created_at },
      ])
      expect(Math.abs(Date.now() - Date.parse(String(created_at)))).toBeLessThan(60_000)
    })

    it("is changed in what is given; null clears, and nothing given changes nothing [I1.1, A5, A7]", async () => {
      const whole = { name: "Tips", description: "Daily", content_schema: { type: "object", "a.b": [1, null] } }
      const id = await aLibrary(whole)
      const patch = (body: unknown) => admin("PATCH", `/libraries/${id}`, body)
      expect((await patch({})).data).toMatchObject(whole)
      expect((await patch({ unknown: 1 })).data).toMatchObject(whole)
      expect((await patch({ name: "Tricks" })).data).toMatchObject({ ...whole, name: "Tricks" })
      expect((await patch({ description: null, content_schema: null })).data).toMatchObject({
        ...{ name: "Tricks", description: null, content_schema: null },
      })
      for (const other of [randomUUID(), "nothing"])
        expect(brief(await admin("PATCH", `/libraries/${other}`, { name: "n" }))).toEqual(missing)
    })

    it("goes with its items; one that is not there is deleted all the same [I1.1, A7]", async () => {
      const id = await aLibrary()
      const item = await anItem(id)
      for (const _ of [1, 2]) {
        const gone = await admin("DELETE", `/libraries/${id}`)
        expect([gone.status, gone.data]).toEqual([200, { deleted: true }])
      }
      expect(brief(await admin("PATCH", `/items/${item.id}`, {}))).toEqual(missing)
      expect(brief(await admin("GET", `/libraries/${id}/items`))).toEqual(missing)
      expect(brief(await admin("DELETE", "/libraries/nothing"))).toEqual(missing)
    })

    it("is listed with its items, the oldest first, in pages [A8]", async () => {
      const own = await aProject(server.api)
      const make = async (name: string) => (await admin("POST", "/libraries", { name }, own)).data.id
      const ids = [await make("One"), await make("Two"), await make("Three")]
      const items = { items: [{ body: "a" }, { body: "b" }] }
      await admin("POST", `/libraries/${ids[1]}/items`, items, own)
      const list = (query: string) => admin<ReadonlyArray<Row>>("GET", `/libraries${query}`, undefined, own)
      const page = JSON.parse((await list("?limit=2&offset=1")).text)
      expect([page.total, page.limit, page.offset]).toEqual([3, 2, 1])
      expect(page.data).toMatchObject([
        { id: ids[1], item_count: 2 },
        { id: ids[2], item_count: 0 },
      ])
      expect(JSON.parse((await list("")).text)).toMatchObject({ total: 3, limit: 50, offset: 0 })
      expect((await list("?limit=0")).code).toBe("INVALID_LIMIT")
      expect((await list("?limit=1001")).code).toBe("INVALID_LIMIT")
      expect((await list("?offset=-1")).code).toBe("INVALID_OFFSET")
    })
  })

  const badItems: ReadonlyArray<[what: string, fields: object]> = [
    ["an empty body", { body: "" }],
    ["a body that is null", { body: null }],
    ["a body that is no text", { body: 1 }],
    ["a body of 100,001 characters", { body: "b".repeat(100_001) }],
    ["a title of 501 characters", { title: "t".repeat(501) }],
    ["51 tags", { tags: Array(51).fill("t") }],
    ["tags that are null", { tags: null }],
    ["tags that are no texts", { tags: [1] }],
    ["metadata that is null", { metadata: null }],
    ["metadata that is a list", { metadata: [] }],
    ["is_premium that is null", { is_premium: null }],
    ["is_premium that is no boolean", { is_premium: "true" }],
    ["a category that is no text", { category: 1 }],
    ["a media_url of 2,049 characters", { media_url: "m".repeat(2_049) }],
  ]
  it.each(badItems)("refuses an item with %s, a change to it, and all that come with it [I1.1]", async (_, fields) => {
    const id = await aLibrary()
    const bad = { body: "Body", ...fields }
    for (const path of ["items", "bulk"]) {
      const refused = await admin("POST", `/libraries/${id}/${path}`, { items: [{ body: "good" }, bad] })
      expect(brief(refused)).toEqual(invalid)
      expect(refused.text).toContain(`items.1.${Object.keys(fields)[0]}`)
    }
    const item = await anItem(id)
    expect(item.sort_order).toBe(1)
    expect(brief(await admin("PATCH", `/items/${item.id}`, fields))).toEqual(invalid)
  })

  it.each([
    ["no items", {}],
    ["items that are null", { items: null }],
    ["an empty list", { items: [] }],
    ["an item that is no object", { items: [null] }],
    ["a list", []],
    ["nothing", undefined],
  ])("refuses an insert and an import of %s [I1.1]", async (_, body) => {
    const id = await aLibrary()
    for (const path of ["items", "bulk"])
      expect(brief(await admin("POST", `/libraries/${id}/${path}`, body))).toEqual(invalid)
  })

  it("inserts 1 to 500 items, and imports 1 to 5,000, of 2 and 8 MB [I1.1, E11, A9]", async () => {
    const id = await aLibrary()
    const some = (count: number, body = "b") => ({ items: Array.from({ length: count }, () => ({ body })) })
    const post = (path: string, body: object) => admin("POST", `/libraries/${id}/${path}`, body)
    const inserted = JSON.parse((await post("items", some(500))).text)
    expect([inserted.total, inserted.data.length, inserted.data.at(-1).sort_order]).toEqual([500, 500, 500])
    expect(brief(await post("items", some(501)))).toEqual(invalid)
    expect((await post("bulk", some(5_000))).data).toEqual({ imported: 5_000 })
    expect(brief(await post("bulk", some(5_001)))).toEqual(invalid)
    expect((await post("items", some(20, "b".repeat(100_000)))).status).toBe(201)
    expect(brief(await post("items", some(21, "b".repeat(100_000))))).toEqual([413, "PAYLOAD_TOO_LARGE"])
    expect((await post("bulk", some(80, "b".repeat(100_000)))).data).toEqual({ imported: 80 })
    expect(brief(await post("bulk", some(84, "b".repeat(100_000))))).toEqual([413, "PAYLOAD_TOO_LARGE"])
    const list = JSON.parse((await admin("GET", `/libraries/${id}/items?limit=1&offset=5599`)).text)
    expect([list.total, list.data[0].sort_order]).toEqual([5_600, 5_600])
    // 10 MB, which are read and sent in pieces (ADR 0021).
    const large = await admin("GET", `/libraries/${id}/items?limit=110&offset=5495`)
    const { data, ...rest } = JSON.parse(large.text)
    expect([large.headers.get("content-length"), rest]).toEqual([null, { total: 5_600, offset: 5_495, limit: 110 }])
    expect(data.map((item: { sort_order: number }) => item.sort_order)).toEqual(
      Array.from({ length: 105 }, (_, at) => 5_496 + at),
    )
    expect(data.at(-1).body).toBe("b".repeat(100_000))
  })

  it("answers items as they are stored, numbered in their order, with defaults for the rest [I1.1, I1.2]", async () => {
    const id = await aLibrary()
    const whole = {
      ...{ title: "T".repeat(500), body: "ü".repeat(100_000), media_url: "asset:1", category: "c" },
      ...{ tags: Array(50).fill("t"), metadata: { a: [1, { b: null }] }, is_premium: true },
    }
    const foreign = { id: randomUUID(), sort_order: 7, is_active: false, owner_app_user_id: randomUUID() }
    const made = await insert(id, [whole, { body: "b", moderation: "held", ...foreign }])
    const { total } = JSON.parse(made.text)
    const given = { library_id: id, is_active: true, owner_app_user_id: null, moderation: "shown" }
    const defaults = { title: null, media_url: null, category: null, tags: [], metadata: {}, is_premium: false }
    const own = (at: number) => {
      const { id: itemId, created_at, updated_at } = made.data[at] as Row
      return { ...given, id: itemId, created_at, updated_at, sort_order: at + 1 }
    }
    expect([made.status, total, made.data]).toEqual([
      201,
      2,
      [
        { ...own(0), ...whole },
        { ...own(1), ...defaults, body: "b" },
      ],
    ])
    expect(made.data[1]?.id).not.toBe(foreign.id)
    expect((await admin("GET", `/libraries/${id}/items`)).data).toEqual(made.data)
    for (const other of [randomUUID(), "nothing"]) {
      expect(brief(await insert(other, [{ body: "b" }]))).toEqual(missing)
      expect(brief(await admin("POST", `/libraries/${other}/bulk`, { items: [{ body: "b" }] }))).toEqual(missing)
      expect(brief(await admin("GET", `/libraries/${other}/items`))).toEqual(missing)
    }
  })

  it("changes what is given; null clears, and any number may be set within its bounds [I1.1, I1.2, A5]", async () => {
    const id = await aLibrary()
    const item = await anItem(id, { title: "T", media_url: "m", category: "c", tags: ["t"], metadata: { a: 1 } })
    const patch = (body: unknown) => admin("PATCH", `/items/${item.id}`, body)
    expect((await patch({})).data).toEqual(item)
    const cleared = { title: null, media_url: null, category: null, tags: [], metadata: {} }
    expect((await patch(cleared)).data).toMatchObject({ ...cleared, body: "Body", sort_order: 1 })
    expect((await patch({ body: "New", is_premium: true })).data).toMatchObject({ body: "New", is_premium: true })
    for (const sort_order of [-1_000_000_000, 1_000_000_000, 0])
      expect((await patch({ sort_order })).data.sort_order).toBe(sort_order)
    for (const sort_order of [-1_000_000_001, 1_000_000_001, 0.5, "1", null])
      expect(brief(await patch({ sort_order }))).toEqual(invalid)
    const foreign = { id: randomUUID(), library_id: randomUUID(), owner_app_user_id: randomUUID(), moderation: "held" }
    const { updated_at, ...same } = (await patch(foreign)).data
    expect(same).toMatchObject({ id: item.id, library_id: id, owner_app_user_id: null, moderation: "shown" })
    for (const other of [randomUUID(), "nothing"])
      expect(brief(await admin("PATCH", `/items/${other}`, { body: "b" }))).toEqual(missing)
  })

  it("orders items by number and id, and lists active ones only [I1.2, service.md]", async () => {
    const id = await aLibrary()
    const { data } = await insert(
      id,
      ["a", "b", "c", "d"].map((body) => ({ body })),
    )
    const [a, b, c, d] = data
    const patch = (row: Row | undefined, body: object) => admin("PATCH", `/items/${row?.id}`, body)
    await patch(a, { sort_order: 9 })
    await patch(b, { sort_order: 9 })
    await patch(c, { is_active: false })
    const list = async () => (await admin<ReadonlyArray<Row>>("GET", `/libraries/${id}/items`)).data
    const tied = [a?.id, b?.id].sort()
    expect((await list()).map((row) => row.id)).toEqual([d?.id, ...tied])
    expect((await anItem(id)).sort_order).toBe(10)
    await patch(c, { is_active: true })
    expect((await list()).map((row) => row.id).slice(0, 2)).toEqual([c?.id, d?.id])
  })

  it("deletes an item for good, and one that is not there all the same [A7]", async () => {
    const item = await anItem(await aLibrary())
    for (const _ of [1, 2]) {
      const gone = await admin("DELETE", `/items/${item.id}`)
      expect([gone.status, gone.data]).toEqual([200, { deleted: true }])
    }
    expect(brief(await admin("PATCH", `/items/${item.id}`, {}))).toEqual(missing)
    expect(brief(await admin("DELETE", "/items/nothing"))).toEqual(missing)
  })

  it("keeps the content of projects apart", async () => {
    const other = await aProject(server.api)
    const id = await aLibrary()
    const item = await anItem(id)
    expect(brief(await admin("POST", `/libraries/${id}/items`, { items: [{ body: "b" }] }, other))).toEqual(missing)
    expect(brief(await admin("PATCH", `/items/${item.id}`, { body: "b" }, other))).toEqual(missing)
    expect((await admin("DELETE", `/libraries/${id}`, undefined, other)).status).toBe(200)
    expect((await admin<ReadonlyArray<Row>>("GET", `/libraries/${id}/items`)).data).toHaveLength(1)
  })
})
