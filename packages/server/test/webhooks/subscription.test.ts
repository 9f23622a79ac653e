import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { anEvent, configure, type InboxAnswer, readInbox, send } from "./client.ts"

const received = { status: 200, data: { received: true } }

describe("webhooks of the subscription provider, from the outside", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    await configure(server, project)
  })
  afterAll(harness.clear)

  const inbox = (query?: string) => readInbox(server, project, query)
  const find = async (id: string) => (await inbox()).find(({ provider_event_id }) => provider_event_id === id)
  const refused = (status: number, code: string) => ({ status, code })

  it("are checked in the order of the spec [H2.1]", async () => {
    const before = await inbox()
    const wrong = { authorization: "Bearer another secret" }
    for (const query of ["", "project_id=", "project_id=x", "project_id=%ff", `project_id=${project.id}&project_id=x`])
      expect(await send(server, project, "x", { query, headers: wrong })).toMatchObject(refused(400, "MISSING_PROJECT"))
    const unknown = `project_id=${randomUUID()}`
    expect(await send(server, project, "x", { query: unknown })).toMatchObject(refused(404, "NOT_CONFIGURED"))
    const bare = await aProject(server.api)
    expect(await send(server, bare, "x", { headers: wrong })).toMatchObject(refused(404, "NOT_CONFIGURED"))
    for (const headers of [{}, wrong, { authorization: "a secret of a webhook" }])
      expect(await send(server, project, anEvent(), { headers })).toMatchObject(refused(401, "INVALID_SIGNATURE"))
    expect(await inbox()).toEqual(before)
    const upper = { query: `project_id=${project.id.toUpperCase()}&other=x` }
    expect(await send(server, project, anEvent({ id: "upper" }), upper)).toMatchObject(received)
    expect(await find("upper")).toBeDefined()
  })

  it("stop with the integration, at once [H2.1]", async () => {
    const other = await aProject(server.api)
    await configure(server, other)
    expect(await send(server, other, anEvent())).toMatchObject(received)
    const put = (body: object) => server.api.ok("PUT", `${other.admin}/integrations/subscription`, other.owner.as, body)
    await put({ is_active: false })
    expect(await send(server, other, anEvent())).toMatchObject(refused(404, "NOT_CONFIGURED"))
    await put({ is_active: true, config: { webhook_secret: "quite another secret" } })
    expect(await send(server, other, anEvent())).toMatchObject(refused(401, "INVALID_SIGNATURE"))
    const headers = { authorization: "Bearer quite another secret" }
    expect(await send(server, other, anEvent(), { headers })).toMatchObject(received)
    await server.api.ok("DELETE", other.admin, other.owner.as)
    expect(await send(server, other, anEvent(), { headers })).toMatchObject(refused(404, "NOT_CONFIGURED"))
  })

  it("give what they say, promptly, and once [H2.1, H2.2]", async () => {
    const user = await aUser(server.api, project)
    const event = anEvent({ id: "first", app_user_id: user.id })
    expect(await send(server, project, event)).toMatchObject(received)
    const own = async () =>
      (await server.api.ok<{ entitlements: ReadonlyArray<object> }>("GET", "/client/users/me", user.as)).entitlements
    // The poll of the worker, which finds what it was not told of, comes after 30 seconds.
    await expect.poll(own, { timeout: 15_000 }).toMatchObject([{ entitlement_id: "pro", is_active: true }])
    const row = await find("first")
    expect(row).toMatchObject({ status: "processed", app_user_id: user.id, error: null })
    expect(row).not.toHaveProperty("payload")
    const path = `${project.admin}/webhooks/inbox/${row?.id}`
    expect(await server.api.ok("GET", path, project.owner.as)).toEqual({ ...row, payload: event })
    expect(await send(server, project, anEvent({ id: "first", app_user_id: "somebody" }))).toMatchObject(received)
    const replayed = await server.api.ok<InboxAnswer>("POST", `${path}/replay`, project.owner.as)
    expect(replayed).toMatchObject({ id: row?.id, status: "processed", app_user_id: user.id, payload: event })
    const events = await server.api.ok<ReadonlyArray<{ event_name: string }>>(
      ...(["GET", `${project.admin}/users/${user.id}/events`, project.owner.as] as const),
    )
    expect(events.filter(({ event_name }) => event_name.startsWith("subscription_"))).toHaveLength(1)
  })

  it("are taken in whatever the body is, and kept as ignored where it is nothing [H2.1]", async () => {
    const other = await aProject(server.api)
    await configure(server, other)
    const bodies = ["", "{", "[]", '"a"', "null", '{"event":{"id":"e","type":"T","a":1e400}}', "\ufeff{}"]
    const deep = `{"event":{"id":"deep","type":"T","a":${"[".repeat(40)}${"]".repeat(40)}}}`
    const bytes = Uint8Array.from([0xff, 0x00, 0x41])
    for (const body of [...bodies, deep, bytes, { event: {} }, { event: { id: 1, type: "T" } }])
      expect(await send(server, other, body)).toMatchObject(received)
    for (const type of ["text/plain", "application/xml", "multipart/form-data"]) {
      const headers = { authorization: "Bearer a secret of a webhook", "content-type": type }
      expect(await send(server, other, `${type} is not looked at`, { headers })).toMatchObject(received)
    }
    const rows = await readInbox(server, other)
    expect(rows).toHaveLength(14)
    for (const row of rows) expect(row).toMatchObject({ status: "ignored", error: expect.any(String) })
    const show = async (index: number) => {
      const path = `${other.admin}/webhooks/inbox/${rows[index]?.id}`
      return (await server.api.ok<InboxAnswer>("GET", path, other.owner.as)).payload
    }
    expect(await show(0)).toBe("multipart/form-data is not looked at")
    expect(await show(4)).toEqual({ event: {} })
    expect(await show(5)).toBe("\ufffd\ufffdA")
    expect(await show(13)).toBe("")
  })

  it("give what they say also where an attribute has NUL or half a character [H2.1]", async () => {
    const user = await aUser(server.api, project)
    const attributes = { $displayName: { value: "Jo\u0000 \ud83d" }, "\udc00": { value: "😀" } }
    const event = anEvent({ id: "half", app_user_id: user.id, subscriber_attributes: attributes })
    for (const _ of [1, 2]) expect(await send(server, project, event)).toMatchObject(received)
    const state = async () => (await find("half"))?.status
    await expect.poll(state, { timeout: 15_000 }).toBe("processed")
    const own = await server.api.ok<{ entitlements: ReadonlyArray<object> }>("GET", "/client/users/me", user.as)
    expect(own.entitlements).toMatchObject([{ entitlement_id: "pro", is_active: true }])
    const path = `${project.admin}/webhooks/inbox/${(await find("half"))?.id}`
    const shown = await server.api.ok<InboxAnswer>("GET", path, project.owner.as)
    expect(shown.payload).toMatchObject({
      event: { subscriber_attributes: { $displayName: { value: "Jo\ufffd \ufffd" }, "\ufffd": { value: "😀" } } },
    })
  })

  it("may have 1 MB, and not a byte more [A9]", async () => {
    const other = await aProject(server.api)
    await configure(server, other)
    const event = anEvent({ id: "large" })
    const spare = 1024 * 1024 - JSON.stringify({ ...event, filler: "" }).length
    const large = JSON.stringify({ ...event, filler: "x".repeat(spare) })
    expect(large).toHaveLength(1024 * 1024)
    expect(await send(server, other, large)).toMatchObject(received)
    expect(await send(server, other, `${large} `)).toMatchObject(refused(413, "PAYLOAD_TOO_LARGE"))
    const [row] = await readInbox(server, other)
    expect(row).toMatchObject({ provider_event_id: "large" })
    const { payload } = await server.api.ok<InboxAnswer>(
      ...(["GET", `${other.admin}/webhooks/inbox/${row?.id}`, other.owner.as] as const),
    )
    expect(payload).toEqual(JSON.parse(large))
  })

  it("are at most 100 per second and project: who lacks the secret takes nothing of it [H2.1]", async () => {
    const other = await aProject(server.api)
    await configure(server, other)
    const many = (count: number, headers?: Record<string, string>) =>
      Promise.all(
        Array.from({ length: count }, () => send(server, other, "x", headers === undefined ? {} : { headers })),
      )
    const wrong = { authorization: "Bearer wrong" }
    await send(server, other, "x")
    const [refusals, taken] = [await many(150, wrong), await send(server, other, anEvent())]
    expect(taken).toMatchObject(received)
    const codes = refusals.map(({ code }) => code)
    expect(codes.filter((code) => code === "INVALID_SIGNATURE").length).toBeGreaterThanOrEqual(100)
    const began = performance.now()
    const answers = await many(400)
    const seconds = Math.ceil((performance.now() - began) / 1_000)
    const over = answers.filter(({ status }) => status === 429)
    // A window begins with the first call in it, so a span of n seconds touches at most n + 1 windows.
    // One that is told to come back later, as the project is busy, was counted, too.
    expect(answers.length - over.length).toBeLessThanOrEqual(100 * (seconds + 1))
    for (const { code, headers } of over)
      expect([code, headers.get("retry-after")]).toEqual(["RATE_LIMIT_EXCEEDED", "1"])
  })

  it("are listed by provider and status to members, and replayed by admins only [H2.3]", async () => {
    const path = `${project.admin}/webhooks/inbox`
    const status = async (query: string) => {
      const { status, code } = await server.api.call("GET", `${path}?${query}`, project.owner.as)
      return [status, code]
    }
    for (const [query, code] of [
      ["provider=push_a", "INVALID_INPUT"],
      ["provider=", "INVALID_INPUT"],
      ["status=done", "INVALID_INPUT"],
      ["status=processed&status=failed", "INVALID_INPUT"],
      ["limit=0", "INVALID_LIMIT"],
      ["limit=1001", "INVALID_LIMIT"],
      ["offset=-1", "INVALID_OFFSET"],
    ] as const)
      expect([query, await status(query)]).toEqual([query, [400, code]])
    expect(await inbox("provider=paywall")).toEqual([])
    expect((await inbox("status=processed&provider=subscription")).length).toBeGreaterThan(0)
    const viewer = await aDeveloper(server.api)
    const member = { email: viewer.email, role: "viewer" }
    await server.api.ok("POST", `${project.admin}/members`, project.owner.as, member)
    const [row] = await server.api.ok<ReadonlyArray<InboxAnswer>>("GET", path, viewer.as)
    const own = `${path}/${row?.id}`
    expect((await server.api.call("GET", own, viewer.as)).status).toBe(200)
    expect(await server.api.call("POST", `${own}/replay`, viewer.as)).toMatchObject(refused(403, "FORBIDDEN"))
    for (const id of [randomUUID(), "x"]) {
      expect(await server.api.call("GET", `${path}/${id}`, viewer.as)).toMatchObject(refused(404, "NOT_FOUND"))
      const replay = server.api.call("POST", `${path}/${id}/replay`, project.owner.as)
      expect(await replay).toMatchObject(refused(404, "NOT_FOUND"))
    }
    const stranger = await aProject(server.api)
    const foreign = `${stranger.admin}/webhooks/inbox/${row?.id}`
    expect(await server.api.call("GET", foreign, stranger.owner.as)).toMatchObject(refused(404, "NOT_FOUND"))
  })

  it("about a user of another project are unresolved, until somebody here has the id [H2.2]", async () => {
    const stranger = await aUser(server.api, await aProject(server.api))
    const user = await aUser(server.api, project)
    await send(server, project, anEvent({ id: "foreign", app_user_id: stranger.id }))
    const state = async () => {
      const row = await find("foreign")
      return [row?.status, row?.app_user_id]
    }
    await expect.poll(state).toEqual(["unresolved", null])
    const patch = (body: object, id = user.id) =>
      server.api.call<Record<string, unknown>>("PATCH", `${project.admin}/users/${id}`, project.owner.as, body)
    expect((await patch({ external_id: stranger.id })).data).toMatchObject({ external_id: stranger.id })
    await expect.poll(state).toEqual(["processed", user.id])
    const other = await aUser(server.api, project)
    expect(await patch({ external_id: stranger.id }, other.id)).toMatchObject(refused(409, "EXTERNAL_ID_EXISTS"))
    for (const external_id of ["", "x".repeat(256), 7, "a\u0000b"])
      expect(await patch({ external_id })).toMatchObject(refused(400, "INVALID_INPUT"))
    expect(await patch({ external_id: "x".repeat(255), timezone: "Mars/Base" })).toMatchObject(
      refused(400, "INVALID_TIMEZONE"),
    )
    for (const body of [{ display_name: "" }, { avatar_url: "" }, { timezone: 1 }, { is_disabled: null }])
      expect(await patch(body)).toMatchObject(refused(400, "INVALID_INPUT"))
    const changes = { display_name: "Ada", avatar_url: "https://a/b", timezone: "Asia/Tokyo", external_id: null }
    expect((await patch({ ...changes, unknown: 1 })).data).toMatchObject(changes)
    expect(await patch({ external_id: "x" }, randomUUID())).toMatchObject(refused(404, "NOT_FOUND"))
  })
})
