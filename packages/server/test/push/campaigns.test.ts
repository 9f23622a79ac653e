import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const texts = { title: "t", body: "b" }
const local = { ...texts, delivery_mode: "local_time", local_date: "2999-01-01", local_time: "09:00" }
const later = "2999-01-01T00:00:00Z"

describe("push, from the outside", () => {
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

  const admin = <Data = { id: string; status: string }>(method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const code = async (method: string, path: string, body?: unknown) => {
    const answer = await admin(method, path, body)
    return `${answer.status} ${answer.code ?? "ok"}`
  }
  const campaign = async (more: object = {}) => (await admin("POST", "/push/campaigns", { ...texts, ...more })).data.id
  const tokens = (body: unknown) => server.api.call<object>("POST", "/client/push/tokens", user.as, body)

  it.each<[string, object]>([
    ["201 ok", texts],
    ["201 ok", { ...texts, segment_id: null, scheduled_at: null, delivery_mode: "absolute" }],
    ["400 INVALID_INPUT", { title: "t" }],
    ["400 INVALID_INPUT", { ...texts, options: { collapse_id: "x".repeat(65) } }],
    ["400 INVALID_DELIVERY_MODE", { ...texts, delivery_mode: "x" }],
    ["400 INVALID_SCHEDULED_AT", { ...texts, scheduled_at: "x" }],
    ["400 SCHEDULED_AT_IN_PAST", { ...texts, scheduled_at: "2020-01-01T00:00:00Z" }],
    ["400 INVALID_LOCAL_DATE", { ...local, local_date: undefined }],
    ["400 INVALID_LOCAL_TIME", { ...local, local_time: "25:00" }],
    ["400 CONFLICTING_SCHEDULE", { ...local, scheduled_at: later }],
    ["400 CONFLICTING_SCHEDULE", { ...local, scheduled_at: "2020-01-01T00:00:00Z" }],
    ["400 INVALID_SEGMENT_ID", { ...texts, segment_id: "x" }],
    ["400 INVALID_SEGMENT_ID", { ...texts, segment_id: randomUUID() }],
    ["400 SCHEDULED_AT_IN_PAST", { ...local, local_date: "2020-01-01" }],
  ])("POST …/push/campaigns answers %s to %j [H4.6]", async (expected, body) => {
    expect(await code("POST", "/push/campaigns", body)).toBe(expected)
    expect(await code("POST", "/push/campaigns/preview", body)).toBe(expected.replace("201", "200"))
  })

  it("PATCH and DELETE have the codes of their rows", async () => {
    const id = await campaign()
    const patch = (body: unknown, of = id) => code("PATCH", `/push/campaigns/${of}`, body)
    expect(await patch({})).toBe("400 EMPTY_UPDATE")
    expect(await patch([])).toBe("400 INVALID_BODY")
    expect(await patch({ title: "" })).toBe("400 INVALID_BODY")
    expect(await patch({ data: [] })).toBe("400 INVALID_DATA")
    expect(await patch({ segment_id: randomUUID() })).toBe("400 INVALID_SEGMENT_ID")
    expect(await patch({ scheduled_at: null })).toBe("400 INVALID_SCHEDULED_AT")
    expect(await patch({ title: "x" }, "nonsense")).toBe("400 INVALID_CAMPAIGN_ID")
    expect(await patch({ title: "x" }, randomUUID())).toBe("404 NOT_FOUND")
    const inLocalTime = await campaign(local)
    expect(await patch({ scheduled_at: later }, inLocalTime)).toBe("400 CONFLICTING_SCHEDULE")
    expect(await patch({ scheduled_at: later })).toBe("200 ok")
    expect(await code("POST", `/push/campaigns/${id}/send`)).toBe("409 ALREADY_SCHEDULED")
    expect(await code("DELETE", "/push/campaigns/nonsense")).toBe("400 INVALID_CAMPAIGN_ID")
    expect(await code("GET", "/push/campaigns/nonsense/deliveries")).toBe("404 NOT_FOUND")
    const gone = await server.api.call("DELETE", `${project.admin}/push/campaigns/${id}`, project.owner.as)
    expect(gone.status).toBe(204)
    expect(await code("DELETE", `/push/campaigns/${id}`)).toBe("404 NOT_FOUND")
    expect(await code("POST", `/push/campaigns/${inLocalTime}/cancel`)).toBe("200 ok")
    for (const [method, path, body] of [
      ["PATCH", "", { title: "x" }],
      ["DELETE", ""],
      ["POST", "/send"],
      ["POST", "/cancel"],
    ] as const)
      expect(await code(method, `/push/campaigns/${inLocalTime}${path}`, body)).toBe("409 ALREADY_SENT")
    expect(await code("GET", "/push/campaigns/nonsense")).toBe("404 NOT_FOUND")
  })

  it("test and push-schedule have the codes of their rows", async () => {
    const test = (body: unknown) => code("POST", "/push/campaigns/test", body)
    expect(await test({})).toBe("400 MISSING_TITLE")
    expect(await test({ title: "t" })).toBe("400 MISSING_BODY")
    expect(await test(texts)).toBe("400 MISSING_TARGET")
    expect(await test({ ...texts, device_token: "x" })).toBe("400 MISSING_PROVIDER")
    expect(await test({ ...texts, device_token: "", provider: "push_a" })).toBe("400 NO_TOKEN")
    expect(await test({ ...texts, app_user_id: randomUUID() })).toBe("404 NO_ACTIVE_TOKEN")
    expect(await test([])).toBe("400 INVALID_BODY")
    const schedule = (body: unknown, of = user.id) => code("POST", `/users/${of}/push-schedule`, body)
    expect(await schedule({})).toBe("400 INVALID_FIRE_AT")
    expect(await schedule({ ...texts, fire_at: "2020-01-01T00:00:00Z" })).toBe("400 FIRE_AT_IN_PAST")
    expect(await schedule({ fire_at: later, body: "b" })).toBe("400 MISSING_TITLE")
    expect(await schedule({ fire_at: later, title: "t" })).toBe("400 MISSING_BODY")
    expect(await schedule({ ...texts, fire_at: later, data: 1 })).toBe("400 INVALID_DATA")
    expect(await schedule({ ...texts, fire_at: later }, "me")).toBe("400 INVALID_USER_ID")
    expect(await schedule({ ...texts, fire_at: later }, randomUUID())).toBe("404 USER_NOT_FOUND")
    expect(await schedule({ ...texts, fire_at: later })).toBe("201 ok")
  })

  it("devices have tokens of up to 4,096 characters, whatever these are [H4.1]", async () => {
    const noise = Array.from({ length: 200 }, () => randomUUID()).join("")
    for (const token of [noise.slice(0, 4_096), "\\x41\\", "a/b?c#d%25 é 🦊", "..", "%2F"]) {
      const answer = await tokens({ token, platform: "ios" })
      expect([answer.status, answer.data]).toMatchObject([201, { token, is_active: true }])
      const path = `/client/push/tokens/${encodeURIComponent(token)}`
      if (token !== "..") expect((await server.api.call("DELETE", path, user.as)).status).toBe(200)
    }
    for (const body of [
      { token: noise.slice(0, 4_097), platform: "ios" },
      { token: "", platform: "ios" },
      { token: "x", platform: "tv" },
      { token: "x" },
      { token: "x", platform: "ios", provider: null },
    ])
      expect((await tokens(body)).code).toBe("INVALID_INPUT")
  })
})
