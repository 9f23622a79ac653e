import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface ReviewAnswer {
  readonly id: string
  readonly rating: number
}

describe("reviews, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    user = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  const anItem = () => ({ item_type: "book", item_id: randomUUID() })
  const post = (body: object, by = user) => server.api.call<ReviewAnswer>("POST", "/client/reviews", by.as, body)
  const admin = (method: string, path: string, body?: object) =>
    server.api.call<Record<string, unknown>>(method, `${project.admin}/reviews${path}`, project.owner.as, body)
  const get = (path: string, as: Readonly<Record<string, string>>) => fetch(`${server.url}/v1${path}`, { headers: as })

  it("a user writes one per item [I5.1]", async () => {
    const item = anItem()
    const first = await post({ ...item, rating: 5 })
    expect(first).toMatchObject({ status: 201, data: { rating: 5, title: null, body: null, is_approved: false } })
    expect(await post({ ...item, rating: 5 })).toMatchObject({ status: 409, code: "ALREADY_REVIEWED" })
    expect((await post({ ...item, rating: 5 }, await aUser(server.api, project))).status).toBe(201)
  })

  it("of two at once of a user and item one is written [I5.1]", async () => {
    const item = anItem()
    const answers = await Promise.all(Array.from({ length: 8 }, () => post({ ...item, rating: 3 })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)])
  })

  it.each<[unknown]>([[0], [6], [3.5], ["5"], [null], [true], [[5]]])("a rating is not %j [I5.1]", async (rating) => {
    expect(await post({ ...anItem(), rating })).toMatchObject({ status: 400, code: "INVALID_RATING" })
    const { data } = await post({ ...anItem(), rating: 5 })
    const path = `/client/reviews/${data.id}`
    expect(await server.api.call("PATCH", path, user.as, { rating })).toMatchObject({ code: "INVALID_RATING" })
  })

  it("a rating must be there, in a new review only [I5.1]", async () => {
    expect(await post(anItem())).toMatchObject({ status: 400, code: "INVALID_RATING" })
    const { data } = await post({ ...anItem(), rating: 5 })
    const changed = await server.api.call("PATCH", `/client/reviews/${data.id}`, user.as, { title: "Good" })
    expect(changed).toMatchObject({ status: 200, data: { rating: 5, title: "Good" } })
  })

  it.each([
    { item_id: "1" },
    { item_type: "book" },
    { item_type: "", item_id: "1" },
    { item_type: "x".repeat(256), item_id: "1" },
    { item_type: "book", item_id: "x".repeat(256) },
    { item_type: "book", item_id: 1 },
    { item_type: null, item_id: "1" },
    { item_type: "book", item_id: "\u0000" },
    { item_type: "book", item_id: "1", title: "x".repeat(501) },
    { item_type: "book", item_id: "1", body: "x".repeat(20_001) },
    { item_type: "book", item_id: "1", title: 5 },
  ])("a review is not of %j", async (body) => {
    expect(await post({ rating: 5, ...body })).toMatchObject({ status: 400, code: "INVALID_INPUT" })
  })

  it("takes texts and ids of every kind, up to their lengths", async () => {
    const body = { title: "\u202Egood\u200B", body: "🦊".repeat(10_000) }
    const item = { item_type: "ü".repeat(255), item_id: `%'";--${randomUUID()}` }
    expect(await post({ ...item, rating: 5, ...body })).toMatchObject({ status: 201, data: body })
    const query = new URLSearchParams(item).toString()
    expect(await server.api.call("GET", `/client/reviews?${query}`, user.as)).toMatchObject({ data: [body] })
  })

  it("the list of an item has its average and count next to data [I5.3]", async () => {
    const item = anItem()
    const query = new URLSearchParams(item).toString()
    const list = async (as = user.as) => (await get(`/client/reviews?${query}`, as)).json()
    expect(await list()).toEqual({ data: [], total: 0, offset: 0, limit: 50, avg_rating: null, review_count: 0 })
    const authors = [await aUser(server.api, project), await aUser(server.api, project)]
    for (const [turn, author] of authors.entries()) {
      const { data } = await post({ ...item, rating: turn + 4 }, author)
      if (turn === 1) await admin("PATCH", `/${data.id}`, { is_approved: true })
    }
    const own = await post({ ...item, rating: 1 })
    expect(await list()).toMatchObject({
      data: [
        { id: own.data.id, is_approved: false },
        { rating: 5, is_approved: true, app_users: { id: authors[1]?.id } },
      ],
      ...{ total: 2, avg_rating: 5, review_count: 1 },
    })
    expect(await list(authors[0]?.as)).toMatchObject({ data: [{ rating: 5 }, { rating: 4 }], total: 2 })
  })

  it.each(["", "?item_type=book", "?item_id=1", "?item_type=&item_id=1", "?item_type=a&item_id=b&limit=0"])(
    "the list asks for an item: %j [I5.3]",
    async (query) => {
      const code = query.includes("limit") ? "INVALID_LIMIT" : "INVALID_INPUT"
      expect(await server.api.call("GET", `/client/reviews${query}`, user.as)).toMatchObject({ status: 400, code })
    },
  )

  it("somebody else's is as one that is not there", async () => {
    const eve = await aUser(server.api, project)
    const { data } = await post({ ...anItem(), rating: 5 })
    for (const id of [data.id, randomUUID()]) {
      const path = `/client/reviews/${id}`
      expect(await server.api.call("PATCH", path, eve.as, { rating: 1 })).toMatchObject({
        status: 404,
        code: "NOT_FOUND",
      })
      expect((await server.api.call("DELETE", path, eve.as)).data).toEqual({ deleted: true })
    }
    const refused = { name: "refused", rule_type: "keyword", config: { keywords: ["refusedword"], action: "reject" } }
    await server.api.ok("POST", `${project.admin}/moderation/rules`, project.owner.as, refused)
    for (const [as, code] of [
      [eve.as, "NOT_FOUND"],
      [user.as, "CONTENT_REJECTED"],
    ] as const)
      expect(await server.api.call("PATCH", `/client/reviews/${data.id}`, as, { body: "refusedword" })).toMatchObject({
        code,
      })
    expect((await server.api.call("PATCH", `/client/reviews/${data.id}`, user.as, {})).status).toBe(200)
    expect(await server.api.call("PATCH", "/client/reviews/none", user.as, {})).toMatchObject({ code: "NOT_FOUND" })
  })

  it("developers approve, list and remove them", async () => {
    const { data } = await post({ ...anItem(), rating: 5 })
    for (const body of [{}, { is_approved: null }, { is_approved: "true" }, { is_approved: 1 }])
      expect(await admin("PATCH", `/${data.id}`, body)).toMatchObject({ status: 400, code: "INVALID_INPUT" })
    expect(await admin("PATCH", `/${randomUUID()}`, { is_approved: true })).toMatchObject({ code: "NOT_FOUND" })
    expect(await admin("PATCH", `/${data.id}`, { is_approved: true })).toMatchObject({ data: { is_approved: true } })
    expect(await admin("GET", "?is_approved=yes")).toMatchObject({ status: 400, code: "INVALID_INPUT" })
    expect((await admin("DELETE", `/${data.id}`)).data).toEqual({ deleted: true })
    expect((await admin("DELETE", `/${data.id}`)).data).toEqual({ deleted: true })
  })

  it("items are listed with the best first, those without approved reviews last", async () => {
    const other = await aProject(server.api)
    const author = await aUser(server.api, other)
    for (const rating of [2, 5, 1]) {
      const item = { item_type: "film", item_id: `${rating}` }
      const { id } = await server.api.ok<ReviewAnswer>("POST", "/client/reviews", author.as, { ...item, rating })
      const path = `${other.admin}/reviews/${id}`
      if (rating > 1) await server.api.ok("PATCH", path, other.owner.as, { is_approved: true })
    }
    const items = await server.api.ok("GET", `${other.admin}/reviews/items`, other.owner.as)
    expect(items).toMatchObject([
      { item_id: "5", avg_rating: 5, review_count: 1 },
      { item_id: "2", avg_rating: 2, review_count: 1 },
      { item_id: "1", avg_rating: null, review_count: 0 },
    ])
    expect(Object.keys((items as ReadonlyArray<object>)[0] ?? {})).toEqual([
      ...["id", "item_type", "item_id", "avg_rating", "review_count"],
    ])
  })

  it("are sent as a file, by rating and since when [E13]", async () => {
    const other = await aProject(server.api)
    for (const [rating, title] of [
      [1, "=1+1"],
      [3, null],
      [5, 'a "b", c'],
    ] as const) {
      const author = await aUser(server.api, other)
      await server.api.ok("POST", "/client/reviews", author.as, { item_type: "a", item_id: "b", rating, title })
    }
    const file = (query: string) => get(`/admin/projects/${other.id}/reviews/export${query}`, other.owner.as)
    const whole = await file("")
    expect(whole.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    const [header, ...lines] = (await whole.text()).trim().split("\n")
    expect(header).toBe("id,reviewable_item_id,app_user_id,rating,title,body,is_approved,created_at,updated_at")
    expect(lines.map((line) => line.split(",").slice(3, -3).join(","))).toEqual([
      ...[`1,"'=1+1",`, "3,,", '5,"a ""b"", c",'],
    ])
    const ratings = async (query: string) =>
      (await (await file(`?format=ndjson${query}`)).text())
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line).rating)
    expect(await ratings("")).toEqual([1, 3, 5])
    expect(await ratings("&rating_min=2")).toEqual([3, 5])
    expect(await ratings("&rating_max=3")).toEqual([1, 3])
    expect(await ratings("&rating_min=3&rating_max=3")).toEqual([3])
    expect(await ratings("&rating_min=4&rating_max=3")).toEqual([])
    expect(await ratings("&since=2001-01-01T00:00:00Z")).toEqual([1, 3, 5])
    expect(await ratings("&since=2999-01-01T00:00:00Z")).toEqual([])
  })

  it.each([
    ["rating_min=0", "INVALID_RATING_MIN"],
    ["rating_min=6", "INVALID_RATING_MIN"],
    ["rating_min=1.5", "INVALID_RATING_MIN"],
    ["rating_min=", "INVALID_RATING_MIN"],
    ["rating_max=0", "INVALID_RATING_MAX"],
    ["rating_max=many", "INVALID_RATING_MAX"],
    ["since=yesterday", "INVALID_SINCE"],
    ["format=xml", "INVALID_INPUT"],
  ])("no file is made of %s: %s", async (query, code) => {
    expect(await admin("GET", `/export?${query}`)).toMatchObject({ status: 400, code })
  })
})
