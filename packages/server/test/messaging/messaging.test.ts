import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "../harness/api.ts"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Row {
  readonly id: string
  readonly body: string | null
}

describe("messaging, from the outside", () => {
  const harness = makeHarness()
  const folder = harness.folder()
  let server: TestServer
  let project: TestProject
  let ada: TestUser
  let bob: TestUser
  let eve: TestUser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: folder })
    project = await aProject(server.api)
    ;[ada, bob, eve] = (await Promise.all([0, 1, 2].map(() => aUser(server.api, project)))) as [
      TestUser,
      TestUser,
      TestUser,
    ]
  })
  afterAll(harness.clear)

  const call = <Data = Row>({ as }: TestUser, method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `/client/messaging${path}`, as, body)
  const brief = ({ status, code }: Answer<unknown>) => [status, code]
  const group = async (...others: ReadonlyArray<TestUser>) => {
    const participant_ids = others.map(({ id }) => id)
    return (await call(ada, "POST", "/conversations", { type: "group", participant_ids })).data.id
  }
  const invalid = [400, "INVALID_INPUT"]

  it.each([
    ["no type", { participant_ids: [randomUUID()] }],
    ["another type", { type: "channel", participant_ids: [randomUUID()] }],
    ["no participants", { type: "group" }],
    ["null for participants", { type: "group", participant_ids: null }],
    ["an empty list", { type: "direct", participant_ids: [] }],
    ["an id that is none", { type: "direct", participant_ids: ["bob"] }],
    ["ids that are no text", { type: "group", participant_ids: [1, {}] }],
    ["two for a direct one", { type: "direct", participant_ids: [randomUUID(), randomUUID()] }],
    ["100 others", { type: "group", participant_ids: Array.from({ length: 100 }, () => randomUUID()) }],
    ["an empty name", { type: "group", participant_ids: [randomUUID()], name: "" }],
    ["a name of 201 characters", { type: "group", participant_ids: [randomUUID()], name: "n".repeat(201) }],
  ])("opens nothing with %s [I4.1]", async (_, body) => {
    expect(brief(await call(ada, "POST", "/conversations", body))).toEqual(invalid)
  })

  it("looks at none of more than 100 ids [I4.1]", async () => {
    const many = Array(100_000).fill(0)
    const opened = await call(ada, "POST", "/conversations", { type: "group", participant_ids: many })
    const added = await call(ada, "POST", `/conversations/${await group(bob)}/participants`, { app_user_ids: many })
    const message = "must be an array of at most 100 entries"
    expect([opened, added].map(({ text }) => JSON.parse(text).error.details.issues)).toEqual([
      [{ path: "participant_ids", message }],
      [{ path: "app_user_ids", message }],
    ])
  })

  it("opens with 201, a direct one again with 200, and names those who are unknown [I4.1]", async () => {
    const direct = { type: "direct", participant_ids: [bob.id.toUpperCase()] }
    const first = await call(ada, "POST", "/conversations", direct)
    expect(first).toMatchObject({ status: 201, data: { type: "direct", name: null, participant_count: 2 } })
    expect(await call(ada, "POST", "/conversations", direct)).toMatchObject({ status: 200, data: first.data })
    const back = { type: "direct", participant_ids: [ada.id], name: null }
    expect(await call(bob, "POST", "/conversations", back)).toMatchObject({ status: 200, data: { id: first.data.id } })
    const stranger = await aUser(server.api, await aProject(server.api))
    const unknown = await call(ada, "POST", "/conversations", { type: "group", participant_ids: [bob.id, stranger.id] })
    expect(brief(unknown)).toEqual([404, "USER_NOT_FOUND"])
    expect(JSON.parse(unknown.text).error.details).toEqual({ app_user_ids: [stranger.id] })
  })

  it.each([
    ["no body", {}],
    ["null for a body", { body: null }],
    ["an empty body", { body: "" }],
    ["4,001 characters", { body: "m".repeat(4_001) }],
    ["a body that is no text", { body: 1 }],
    ["NUL", { body: "a\u0000b" }],
    ["half a character", { body: "\ud83e" }],
    ["an empty client_message_id", { body: "x", client_message_id: "" }],
    ["a client_message_id of 65 characters", { body: "x", client_message_id: "c".repeat(65) }],
    ["a client_message_id that is no text", { body: "x", client_message_id: 7 }],
  ])("writes nothing with %s [I4.2]", async (_, body) => {
    const id = await group(bob)
    expect((await call(ada, "POST", `/conversations/${id}/messages`, body)).status).toBe(400)
    expect((await call(ada, "GET", `/conversations/${id}/messages`)).data).toEqual([])
  })

  it("writes with 201, a repeat answers 200, and keeps odd characters [I4.2]", async () => {
    const path = `/conversations/${await group(bob)}/messages`
    const body = `\u202Ebidi\u202C\u200B\uFEFF${"🦊".repeat(10)}`
    const first = await call(ada, "POST", path, { body, client_message_id: "c".repeat(64) })
    expect(first).toMatchObject({ status: 201, data: { body, sender_id: ada.id } })
    const again = await call(ada, "POST", path, { body: "else", client_message_id: "c".repeat(64) })
    expect(again).toMatchObject({ status: 200, data: first.data })
    for (const client_message_id of [null, null])
      expect((await call(ada, "POST", path, { body: "m".repeat(4_000), client_message_id })).status).toBe(201)
    const page = JSON.parse((await call(bob, "GET", `${path}?limit=2&offset=1`)).text)
    expect(page).toMatchObject({ total: 3, offset: 1, limit: 2 })
    expect(page.data.map(({ body: of }: Row) => of)).toEqual(["m".repeat(4_000), body])
  })

  it("answers 403 NOT_PARTICIPANT to everybody else, the same as where nothing is [I4.2]", async () => {
    const id = await group(bob)
    const { data } = await call(ada, "POST", `/conversations/${id}/messages`, { body: "secret" })
    for (const [method, path, body] of [
      ["GET", "messages"],
      ["POST", "messages", { body: "x" }],
      ["POST", "read"],
      ["POST", "read", { message_id: data.id }],
      ["POST", "leave"],
      ["POST", "participants", { app_user_ids: [eve.id] }],
    ] as const) {
      const theirs = await call(eve, method, `/conversations/${id}/${path}`, body)
      const nothing = await call(eve, method, `/conversations/${randomUUID()}/${path}`, body)
      expect([brief(theirs), brief(nothing)]).toEqual(Array(2).fill([403, "NOT_PARTICIPANT"]))
      const without = (answer: Answer<unknown>) => ({ ...JSON.parse(answer.text).error, request_id: null })
      expect(without(theirs)).toEqual(without(nothing))
      expect(brief(await call(eve, method, `/conversations/nowhere/${path}`, body))).toEqual([404, "NOT_FOUND"])
    }
    for (const message of [data.id, randomUUID(), "none"])
      expect(brief(await call(bob, "DELETE", `/messages/${message}`))).toEqual([404, "NOT_FOUND"])
  })

  it("refuses places that are none [I4.2]", async () => {
    const [id, other] = [await group(bob), await group(bob)]
    const { data } = await call(ada, "POST", `/conversations/${other}/messages`, { body: "x" })
    const path = `/conversations/${id}`
    for (const place of [randomUUID(), data.id, "1", "", "%00", "'"])
      for (const key of ["before", "after"])
        expect(brief(await call(ada, "GET", `${path}/messages?${key}=${place}`))).toEqual([400, "INVALID_CURSOR"])
    expect(brief(await call(ada, "GET", `${path}/messages?limit=0`))).toEqual([400, "INVALID_LIMIT"])
    expect(brief(await call(ada, "GET", `${path}/messages?limit=1001`))).toEqual([400, "INVALID_LIMIT"])
    expect(brief(await call(ada, "GET", "/conversations?offset=-1"))).toEqual([400, "INVALID_OFFSET"])
    expect(brief(await call(ada, "POST", `${path}/read`, { message_id: data.id }))).toEqual([404, "NOT_FOUND"])
    expect(brief(await call(ada, "POST", `${path}/read`, { message_id: "x" }))).toEqual(invalid)
    expect((await call(ada, "GET", "/conversations?offset=9007199254740991")).data).toEqual([])
  })

  it("adds, leaves and removes as I4.2 says [I4.2]", async () => {
    const id = await group(bob)
    const path = `/conversations/${id}`
    for (const body of [{}, { app_user_ids: [] }, { app_user_ids: "x" }, { app_user_ids: ["x"] }])
      expect(brief(await call(ada, "POST", `${path}/participants`, body))).toEqual(invalid)
    const adding = { app_user_ids: [eve.id] }
    expect(brief(await call(bob, "POST", `${path}/participants`, adding))).toEqual([403, "FORBIDDEN"])
    expect(await call(ada, "POST", `${path}/participants`, adding)).toMatchObject({ status: 201, data: { id } })
    expect(await call(eve, "POST", `${path}/leave`)).toMatchObject({ status: 200, data: { left: true } })
    const pair = await call(ada, "POST", "/conversations", { type: "direct", participant_ids: [eve.id] })
    expect(brief(await call(ada, "POST", `/conversations/${pair.data.id}/leave`))).toEqual(invalid)
    expect(brief(await call(ada, "POST", `/conversations/${pair.data.id}/participants`, adding))).toEqual(invalid)
  })

  it("is refused with BLOCKED between two, and goes on in their groups [I4.3]", async () => {
    const [one, two] = await Promise.all([aUser(server.api, project), aUser(server.api, project)])
    const pair = await call(one, "POST", "/conversations", { type: "direct", participant_ids: [two.id] })
    const shared = (await call(one, "POST", "/conversations", { type: "group", participant_ids: [two.id] })).data.id
    await server.api.ok("POST", `/client/blocks/${one.id}`, two.as)
    const blocked = [403, "BLOCKED"]
    const opening = { type: "direct", participant_ids: [two.id] }
    expect(brief(await call(one, "POST", "/conversations", opening))).toEqual(blocked)
    expect(brief(await call(two, "POST", `/conversations/${pair.data.id}/messages`, { body: "x" }))).toEqual(blocked)
    const both = { type: "group", participant_ids: [one.id, two.id] }
    expect(brief(await call(ada, "POST", "/conversations", both))).toEqual(blocked)
    expect((await call(two, "POST", `/conversations/${shared}/messages`, { body: "x" })).status).toBe(201)
    expect((await call(one, "GET", `/conversations/${shared}/messages`)).data).toMatchObject([{ body: "x" }])
  })

  it("is full at 10,000 conversations, for who opens and for who is asked [I0.2]", async () => {
    const [full, other] = await Promise.all([aUser(server.api, project), aUser(server.api, project)])
    await sqlIn(folder).rows(
      project.id,
      `with made as (
         insert into conversations (id, type, created_at, last_number, message_count, held_count, newest_at, latest_at)
         select gen_random_uuid(), 'group', now(), 0, 0, 0, now(), now() from generate_series(1, 9999) returning id
       )
       insert into conversation_participants (conversation_id, app_user_id, joined_at, read_number, latest_hour)
       select id, $1, now(), 0, date_trunc('hour', now(), 'UTC') from made`,
      [full.id],
    )
    const direct = { type: "direct", participant_ids: [full.id] }
    const open = (by: TestUser, body: object) => call(by, "POST", "/conversations", body)
    expect((await open(other, direct)).status).toBe(201)
    const quota = [409, "QUOTA_EXCEEDED"]
    expect(brief(await open(full, { type: "group", participant_ids: [other.id] }))).toEqual(quota)
    expect(brief(await open(other, { type: "group", participant_ids: [full.id] }))).toEqual(quota)
    expect((await open(other, direct)).status).toBe(200)
    const id = await group(bob)
    const adding = await call(ada, "POST", `/conversations/${id}/participants`, { app_user_ids: [full.id] })
    expect(brief(adding)).toEqual(quota)
    const page = JSON.parse((await call(full, "GET", "/conversations?limit=2&offset=9998")).text)
    expect([page.total, page.data.length]).toEqual([10_000, 2])
  })

  it("is seen by developers, and removed for good; nobody else's project is [I4.4]", async () => {
    const id = await group(bob)
    const { data } = await call(ada, "POST", `/conversations/${id}/messages`, { body: "seen" })
    const admin = (method: string, path: string, of = project) =>
      server.api.call<ReadonlyArray<Row>>(method, `${of.admin}/messaging${path}`, of.owner.as)
    expect((await admin("GET", `/conversations/${id}/messages`)).data).toMatchObject([{ id: data.id, body: "seen" }])
    const other = await aProject(server.api)
    expect(brief(await admin("GET", `/conversations/${id}/messages`, other))).toEqual([404, "NOT_FOUND"])
    expect((await admin("DELETE", `/messages/${data.id}`, other)).status).toBe(200)
    expect(brief(await admin("GET", "/conversations/none/messages"))).toEqual([404, "NOT_FOUND"])
    expect(brief(await admin("DELETE", "/messages/none"))).toEqual([404, "NOT_FOUND"])
    for (const _ of [1, 2])
      expect(await admin("DELETE", `/messages/${data.id}`)).toMatchObject({ status: 200, data: { deleted: true } })
    expect((await admin("GET", `/conversations/${id}/messages`)).data).toEqual([])
    expect(await admin("GET", "/stats", other)).toMatchObject({
      data: { total_conversations: 0, total_messages: 0, active_conversations_24h: 0 },
    })
  })

  it("is in the file about a user: what the user takes part in and has written, nothing of others [I0.4]", async () => {
    const one = await aUser(server.api, project)
    const { id } = (
      await call(one, "POST", "/conversations", { type: "group", participant_ids: [bob.id], name: "File" })
    ).data
    await call(one, "POST", `/conversations/${id}/messages`, { body: "mine" })
    await call(bob, "POST", `/conversations/${id}/messages`, { body: "theirs" })
    const file = await fetch(`${server.url}/v1${project.admin}/users/${one.id}/export`, { headers: project.owner.as })
    const lines = (await file.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.filter(({ section }) => ["conversations", "messages"].includes(section))).toMatchObject([
      { section: "conversations", data: { id, name: "File" } },
      { section: "messages", data: { conversation_id: id, body: "mine", sender_id: one.id } },
    ])
  })
})
