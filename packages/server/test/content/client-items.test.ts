import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Row {
  readonly id: string
  readonly sort_order: number
  readonly [field: string]: unknown
}

describe("items of users, from the outside", () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  let server: TestServer
  let project: TestProject
  let libraryId: string
  let ada: TestUser
  let bob: TestUser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
    libraryId = await aLibrary()
    ada = await aUser(server.api, project)
    bob = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  const admin = <Data = Row>(method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const client = <Data = Row>(user: TestUser, method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `/client/content${path}`, user.as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const aLibrary = async () => (await admin("POST", "/content/libraries", { name: "Tips" })).data.id
  const write = (user: TestUser, fields: object = {}, library = libraryId) =>
    client(user, "POST", `/libraries/${library}/items`, { body: "Body", ...fields })
  const change = (user: TestUser, id: string, fields: unknown) => client(user, "PATCH", `/items/${id}`, fields)
  const get = (user: TestUser, id: string) => client(user, "GET", `/items/${id}`)
  const idsSeen = async (user: TestUser, library = libraryId, query = "") =>
    (await client<ReadonlyArray<Row>>(user, "GET", `/libraries/${library}${query}`)).data.map(({ id }) => id)
  const withoutRequestId = (text: string) => text.replace(/"request_id":"[^"]*"/, "")
  const missing = [404, "NOT_FOUND"]
  const invalid = [400, "INVALID_INPUT"]

  const bad: ReadonlyArray<[what: string, fields: object]> = [
    ["an empty body", { body: "" }],
    ["a body that is null", { body: null }],
    ["a body of 20,001 characters", { body: "b".repeat(20_001) }],
    ["a body with NUL", { body: "a\u0000b" }],
    ["a title of 501 characters", { title: "t".repeat(501) }],
    ["a media_url that is no address", { media_url: "picture.png" }],
    ["a media_url that is a script", { media_url: "javascript:alert(1)" }],
    ["a media_url of 2,049 characters", { media_url: `https://a.example/${"m".repeat(2_031)}` }],
    ["51 tags", { tags: Array(51).fill("t") }],
    ["tags that are null", { tags: null }],
    ["metadata that is a list", { metadata: [] }],
    ["metadata of more than 16 KB", { metadata: { a: "m".repeat(16_384) } }],
  ]
  it.each(bad)("refuses an item with %s, and a change to it [I0.2, I1.1, I6.1]", async (_, fields) => {
    expect(brief(await write(ada, fields))).toEqual(invalid)
    const { id } = (await write(ada)).data
    expect(brief(await change(ada, id, fields))).toEqual(invalid)
    await client(ada, "DELETE", `/items/${id}`)
  })

  it("refuses an item without a body, and what is no JSON object [A5]", async () => {
    for (const body of [undefined, {}, [], null, "text"])
      expect(brief(await client(ada, "POST", `/libraries/${libraryId}/items`, body))).toEqual(invalid)
    const { id } = (await write(ada)).data
    expect(brief(await change(ada, id, { is_active: null }))).toEqual(invalid)
    expect(brief(await change(ada, id, []))).toEqual(invalid)
    await client(ada, "DELETE", `/items/${id}`)
  })

  it("makes an item of the caller's, last in its library; what is not theirs to set is passed over [I1.2]", async () => {
    const library = await aLibrary()
    const given = {
      ...{ title: "T", body: "b".repeat(20_000), media_url: "https://a.example/ü", category: "c", tags: ["t"] },
      metadata: { a: "m".repeat(16_376) },
    }
    const foreign = { is_premium: true, is_active: false, sort_order: 5, owner_app_user_id: bob.id, moderation: "held" }
    const made = await write(ada, { ...given, ...foreign, id: randomUUID() }, library)
    const { id, created_at, updated_at } = made.data
    expect([made.status, made.data]).toEqual([
      201,
      {
        ...{ ...given, id, library_id: library, is_premium: false, is_active: true, sort_order: 1 },
        ...{ owner_app_user_id: ada.id, moderation: "shown", created_at, updated_at },
      },
    ])
    const plain = await write(bob, {}, library)
    const defaults = { title: null, media_url: null, category: null, tags: [], metadata: {} }
    expect(plain.data).toMatchObject({ ...defaults, sort_order: 2, owner_app_user_id: bob.id })
    for (const other of [randomUUID(), "nothing"]) expect(brief(await write(ada, {}, other))).toEqual(missing)
  })

  it("changes what is given of the caller's own; null clears, nothing given changes nothing [A5]", async () => {
    const whole = { title: "T", media_url: "https://a.example", category: "c", tags: ["t"], metadata: { a: 1 } }
    const made = (await write(ada, whole)).data
    expect((await change(ada, made.id, {})).data).toEqual(made)
    const cleared = { title: null, media_url: null, category: null, tags: [], metadata: {} }
    expect((await change(ada, made.id, cleared)).data).toMatchObject({ ...cleared, body: "Body" })
    const foreign = { is_premium: true, sort_order: 5, owner_app_user_id: bob.id, moderation: "rejected" }
    const changed = (await change(ada, made.id, { ...foreign, body: "New" })).data
    const { sort_order } = made
    expect(changed).toMatchObject({ body: "New", is_premium: false, sort_order, owner_app_user_id: ada.id })
    expect(changed["moderation"]).toBe("shown")
  })

  it("hides an item that its author makes inactive, from the author too, until it is active again", async () => {
    const { id } = (await write(ada)).data
    expect((await change(ada, id, { is_active: false })).data).toMatchObject({ is_active: false })
    for (const user of [ada, bob]) expect(brief(await get(user, id))).toEqual(missing)
    expect(await idsSeen(ada)).not.toContain(id)
    expect((await change(ada, id, { is_active: true })).data).toMatchObject({ is_active: true })
    for (const user of [ada, bob]) expect((await get(user, id)).data).toMatchObject({ id, body: "Body" })
  })

  it("answers another's item as one that is not there, to the byte [errors, note 3]", async () => {
    const { id } = (await write(ada)).data
    const [row] = (
      await admin<ReadonlyArray<Row>>("POST", `/content/libraries/${libraryId}/items`, {
        items: [{ body: "developers'" }],
      })
    ).data
    const answers = async (method: string, body?: unknown) =>
      Promise.all(
        [id, row?.id, randomUUID(), "nothing"].map(async (each) => {
          const { status, text } = await client(bob, method, `/items/${each}`, body)
          return [status, withoutRequestId(text)]
        }),
      )
    for (const [method, body] of [
      ["PATCH", { body: "mine" }],
      ["PATCH", {}],
      ["DELETE", undefined],
    ] as const) {
      const [first, ...others] = await answers(method, body)
      expect(first?.[0]).toBe(404)
      for (const other of others) expect(other).toEqual(first)
    }
    expect((await get(bob, id)).data).toMatchObject({ body: "Body" })
  })

  it("deletes the caller's own for good", async () => {
    const { id } = (await write(ada)).data
    expect((await client(ada, "DELETE", `/items/${id}`)).data).toEqual({ deleted: true })
    expect(brief(await client(ada, "DELETE", `/items/${id}`))).toEqual(missing)
    expect(brief(await get(ada, id))).toEqual(missing)
  })

  it("lists active items in order, of a category where one is asked for, in pages [I1.2, A8]", async () => {
    const library = await aLibrary()
    const made = await Promise.all(["a", "b", "a", "A"].map((category) => write(ada, { category }, library)))
    await write(bob, { category: null }, library)
    const sorted = made.map(({ data }) => data).sort((one, other) => one.sort_order - other.sort_order)
    const of = (category: string) => sorted.filter((row) => row["category"] === category).map(({ id }) => id)
    expect(await idsSeen(bob, library, "?category=a")).toEqual(of("a"))
    expect(await idsSeen(bob, library, "?category=A")).toEqual(of("A"))
    expect(await idsSeen(bob, library, "?category=%25")).toEqual([])
    const page = JSON.parse((await client(bob, "GET", `/libraries/${library}?limit=2&offset=1`)).text)
    expect([page.total, page.limit, page.offset, page.data.map((row: Row) => row.id)]).toEqual([
      ...[5, 2, 1],
      sorted.slice(1, 3).map(({ id }) => id),
    ])
    expect((await client(bob, "GET", `/libraries/${library}?limit=0`)).code).toBe("INVALID_LIMIT")
    expect((await client(bob, "GET", `/libraries/${library}?offset=x`)).code).toBe("INVALID_OFFSET")
    for (const other of [randomUUID(), "nothing"])
      expect(brief(await client(bob, "GET", `/libraries/${other}`))).toEqual(missing)
  })

  it("needs the key of the app and a session [B1]", async () => {
    const { id } = (await write(ada)).data
    for (const [method, path, body] of [
      ["GET", `/libraries/${libraryId}`, undefined],
      ["POST", `/libraries/${libraryId}/items`, { body: "b" }],
      ["GET", `/items/${id}`, undefined],
      ["PATCH", `/items/${id}`, { body: "b" }],
      ["DELETE", `/items/${id}`, undefined],
    ] as const)
      expect(brief(await client({ ...ada, as: project.app }, method, path, body))).toEqual([401, "UNAUTHORIZED"])
  })

  it("keeps to 5,000 items of a user, also of calls at once [I0.2]", async () => {
    const carl = await aUser(server.api, project)
    const other = await aLibrary()
    await sqlIn(dataDir).rows(
      project.id,
      `insert into content_items (id, library_id, body, tags, metadata, is_premium, is_active, sort_order,
         owner_app_user_id, moderation, created_at, updated_at)
       select gen_random_uuid(), $1::uuid, 'x', '[]', '{}', false, n % 2 = 0, n, $2::uuid, 'shown', now(), now()
       from generate_series(1, 4997) as n`,
      [other, carl.id],
    )
    const into = (at: number) => (at % 2 === 0 ? libraryId : other)
    const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => write(carl, {}, into(at))))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(201), ...Array(5).fill(409)])
    expect(answers.find(({ status }) => status === 409)?.code).toBe("QUOTA_EXCEEDED")
    const mine = answers.find(({ status }) => status === 201)?.data.id ?? ""
    await client(carl, "DELETE", `/items/${mine}`)
    expect((await write(carl)).status).toBe(201)
    expect((await write(bob)).status).toBe(201)
  })

  it("leaves the items of a user who goes, as nobody's [I0.4]", async () => {
    const dora = await aUser(server.api, project)
    const { id } = (await write(dora)).data
    await server.api.ok("DELETE", "/client/users/me", dora.as)
    expect((await get(bob, id)).data).toMatchObject({ id, owner_app_user_id: null, is_active: true })
    expect((await write(dora)).code).toBe("INVALID_TOKEN")
  })
})
