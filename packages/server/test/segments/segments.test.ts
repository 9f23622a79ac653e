import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface SegmentAnswer {
  readonly id: string
  readonly name: string
  readonly is_system: boolean
  readonly user_count: number
  readonly last_evaluated_at: string | null
}

interface Explained {
  readonly matches: boolean
  readonly is_member: boolean
  readonly tree: unknown
}

const lesson = { event: "lesson", op: "gte", count: 2, within: "7d" }
const adult = { field: "properties.profile.age", op: "gte", value: 18 }
const rules = { operator: "AND", conditions: [adult, { operator: "NOT", conditions: [{ ...lesson, op: "lt" }] }] }

/** A tree of groups as deep as this, with a leaf in the innermost. */
const deep = (groups: number): object =>
  groups === 0
    ? { field: "email", op: "exists" }
    : { operator: groups % 2 === 0 ? "AND" : "OR", conditions: [deep(groups - 1)] }

const leaves = (count: number) => ({ operator: "OR", conditions: Array(count).fill(adult) })
const one = (leaf: unknown) => ({ operator: "AND", conditions: [leaf] })
const text = (value: unknown) => JSON.stringify({ name: "Bad", rules: value })

describe("segments, from the outside", () => {
  const harness = makeHarness()
  const environment = { DATA_DIR: harness.folder() }
  let server: TestServer
  let project: TestProject
  let inside: TestUser
  let outside: TestUser

  beforeAll(async () => {
    server = await harness.server(environment)
    project = await aProject(server.api)
    inside = await aUser(server.api, project)
    outside = await aUser(server.api, project)
    for (const [user, age] of [
      [inside, 30],
      [outside, 12],
    ] as const) {
      await server.api.ok("PATCH", "/client/users/me", user.as, { properties: { profile: { age } } })
      const events = [{ event_name: "lesson" }, { event_name: "lesson" }]
      await server.api.ok("POST", "/client/events", user.as, { events })
    }
  })
  afterAll(harness.clear)

  const admin = <Data>(method: string, path: string, body?: unknown) =>
    server.api.ok<Data>(method, `${project.admin}/segments${path}`, project.owner.as, body)
  const explain = (id: string, user: TestUser) => admin<Explained>("GET", `/${id}/explain/${user.id}`)
  const evaluatedAt = async (id: string) => (await admin<SegmentAnswer>("GET", `/${id}`)).last_evaluated_at

  /** Sends a body as it is, and answers status and code. */
  const refused = async (method: string, path: string, body: string) => {
    const response = await fetch(`${server.url}/v1${project.admin}/segments${path}`, {
      method,
      headers: { ...project.owner.as, "content-type": "application/json" },
      body,
    })
    const answer = (await response.json()) as { error?: { code: string } }
    return `${response.status} ${answer.error?.code}`
  }

  it("are previewed, made, evaluated, explained and listed", async () => {
    const before = await admin<ReadonlyArray<SegmentAnswer>>("GET", "?limit=1000")
    const preview = { user_count: 1, sample: [{ id: inside.id, email: null, external_id: null }] }
    expect(await admin("POST", "/preview", { rules })).toMatchObject(preview)
    const made = await admin<SegmentAnswer>("POST", "", { name: "Adults at work", rules })
    expect(made).toMatchObject({ rules, is_system: false, user_count: 0, last_evaluated_at: null })

    const started = await admin("POST", `/${made.id}/evaluate`)
    expect(started).toEqual({ status: "evaluating", segment_id: made.id })
    await expect.poll(() => evaluatedAt(made.id)).not.toBeNull()
    expect(await explain(made.id, inside)).toMatchObject({
      ...{ segment_id: made.id, user_id: inside.id, matches: true, is_member: true, is_manual: false },
      tree: {
        ...{ operator: "AND", matches: true },
        conditions: [
          { ...adult, actual: 30, is_missing: false, matches: true },
          { operator: "NOT", matches: true, conditions: [{ ...lesson, op: "lt", actual: 2, matches: false }] },
        ],
      },
    })
    expect(await explain(made.id, outside)).toMatchObject({
      ...{ matches: false, is_member: false },
      tree: { matches: false, conditions: [{ actual: 12, matches: false }, { matches: true }] },
    })
    const all = await admin<ReadonlyArray<SegmentAnswer>>("GET", "?limit=1000")
    expect(all.slice(0, 4).map(({ is_system }) => is_system)).toEqual([true, true, true, true])
    expect(all.map(({ id }) => id)).toEqual([...before.map(({ id }) => id), made.id])
    expect(all.at(-1)).toMatchObject({ id: made.id, name: "Adults at work", user_count: 1 })
  })

  it("follow their rules when these change", async () => {
    const everybody = one({ field: "properties.profile.age", op: "lte", value: 30 })
    const { id } = await admin<SegmentAnswer>("POST", "", { name: "All", rules: everybody })
    const counted = async () => (await admin<SegmentAnswer>("GET", `/${id}`)).user_count
    await expect.poll(counted).toBe(2)
    const nobody = { operator: "OR", conditions: [] }
    expect(await admin("PATCH", `/${id}`, { rules: nobody })).toMatchObject({ rules: nobody, name: "All" })
    await expect.poll(counted).toBe(0)
    expect(await explain(id, inside)).toMatchObject({ matches: false, is_member: false })
    expect(await admin("DELETE", `/${id}`)).toEqual({ deleted: true })
    expect(await admin("DELETE", `/${id}`)).toEqual({ deleted: true })
  })

  it("of the system cannot be changed or removed, whatever is sent", async () => {
    const [all] = await admin<ReadonlyArray<SegmentAnswer>>("GET", "?limit=1")
    for (const body of ["{}", '{"name":"Mine"}', '{"rules":null}', '{"rules":{"operator":"AND","conditions":[]}}']) {
      expect(await refused("PATCH", `/${all?.id}`, body)).toBe("403 SYSTEM_SEGMENT")
    }
    expect(await refused("DELETE", `/${all?.id}`, "")).toBe("403 SYSTEM_SEGMENT")
    expect(await admin("GET", `/${all?.id}`)).toMatchObject({ id: all?.id, name: "All users", is_system: true })
  })

  it("can be read by a viewer, previews and explanations included, and not changed", async () => {
    const viewer = await aDeveloper(server.api)
    const { email } = viewer
    await server.api.ok("POST", `${project.admin}/members`, project.owner.as, { email, role: "viewer" })
    const call = async (method: string, path: string, body?: unknown) =>
      (await server.api.call(method, `${project.admin}/segments${path}`, viewer.as, body)).status
    const { id } = await admin<SegmentAnswer>("POST", "", { name: "Seen", rules })
    expect(await call("GET", "")).toBe(200)
    expect(await call("GET", `/${id}`)).toBe(200)
    expect(await call("GET", `/${id}/explain/${inside.id}`)).toBe(200)
    expect(await call("POST", "/preview", { rules })).toBe(200)
    expect(await call("POST", "", { name: "Mine", rules })).toBe(403)
    expect(await call("PATCH", `/${id}`, { name: "Mine" })).toBe(403)
    expect(await call("DELETE", `/${id}`)).toBe(403)
    expect(await call("POST", `/${id}/evaluate`)).toBe(403)
  })

  it("are 404 for an unknown id", async () => {
    const none = randomUUID()
    const { id } = await admin<SegmentAnswer>("POST", "", { name: "Here", rules })
    expect(await refused("PATCH", `/${none}`, "{}")).toBe("404 NOT_FOUND")
    expect(await refused("POST", `/${none}/evaluate`, "")).toBe("404 NOT_FOUND")
    for (const path of [`/${none}`, `/${none}/explain/${inside.id}`, `/${id}/explain/${none}`]) {
      const { status, code } = await server.api.call("GET", `${project.admin}/segments${path}`, project.owner.as)
      expect([path, status, code]).toEqual([path, 404, "NOT_FOUND"])
    }
  })

  it("accept trees up to the limits", async () => {
    for (const tree of [deep(5), leaves(50), { operator: "NOT", conditions: [deep(4)] }]) {
      await admin("POST", "/preview", { rules: tree })
      await admin("POST", "", { name: "Large", rules: tree })
    }
  })

  it.each<readonly [string, string]>([
    ["null", text(null)],
    ["a text", text("everybody")],
    ["a list", text([])],
    ["an empty object", text({})],
    ["a leaf alone", text(adult)],
    ["6 groups deep", text(deep(6))],
    ["14 groups deep", text(deep(14))],
    ["51 leaves", text(leaves(51))],
    ["10,000 nothings", text({ operator: "OR", conditions: Array(10_000).fill({}) })],
    ["NOT of two", text({ operator: "NOT", conditions: [adult, adult] })],
    ["conditions that are no list", text({ operator: "AND", conditions: { 0: adult } })],
    ["a group that is a leaf", text(one({ ...adult, operator: "AND", conditions: [] }))],
    ["a credential", text(one({ field: "password_hash", op: "exists" }))],
    ["a column that is none", text(one({ field: "email; drop table app_users", op: "exists" }))],
    ["what objects inherit", text(one({ field: "__proto__", op: "exists" }))],
    ["an operator that objects inherit", text(one({ ...adult, op: "constructor" }))],
    ["properties alone", text(one({ field: "properties", op: "exists" }))],
    ["an empty part of a path", text(one({ field: "properties.a..b", op: "exists" }))],
    ["a list as a value", text(one({ ...adult, op: "eq", value: [1] }))],
    ["a long value", text(one({ ...adult, op: "eq", value: "x".repeat(1_001) }))],
    ["a time beyond all bounds", text(one({ field: "created_at", op: "within", value: "9999999d" }))],
    ["a day that is none", text(one({ field: "created_at", op: "gt", value: "2026-02-30" }))],
    ["no streak", text(one({ field: "streaks.1.current_count", op: "gt", value: 1 }))],
    ["half an event", text(one({ event: "lesson", op: "gte", count: 1.5 }))],
  ])("refuse %s with INVALID_RULES", async (_, body) => {
    expect(await refused("POST", "", body)).toBe("400 INVALID_RULES")
    expect(await refused("POST", "/preview", body)).toBe("400 INVALID_RULES")
  })

  it.each<readonly [string, string]>([
    ["no rules", '{"name":"Bad"}'],
    ["NUL", `{"name":"Bad","rules":${JSON.stringify(one({ ...adult, op: "eq", value: "\u0000" }))}}`],
    ["half a surrogate pair", text(one({ field: "properties.\ud800", op: "exists" }))],
    ["1e400", text(one(adult)).replace("18", "1e400")],
    ["33 levels", text(JSON.parse(`${"[".repeat(32)}${"]".repeat(32)}`))],
  ])("refuse %s with INVALID_INPUT, before any rule is read", async (_, body) => {
    expect(await refused("POST", "", body)).toBe("400 INVALID_INPUT")
    expect(await refused("POST", "/preview", body)).toBe("400 INVALID_INPUT")
  })

  it("are evaluated at the first poll of a process", async () => {
    expect(await server.end("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" })
    server = await harness.server(environment)
    const all = async () =>
      (await admin<ReadonlyArray<SegmentAnswer>>("GET", "?limit=4")).map((each) => each.user_count)
    await expect.poll(all).toEqual([2, 2, 2, 0])
  })

  it("has the users of now in it after an evaluation was asked for, also right after it was made", async () => {
    const project = await aProject(server.api)
    const named = (id: string) => one({ field: "display_name", op: "eq", value: id })
    for (let round = 0; round < 5; round += 1) {
      const name = randomUUID()
      const made = await server.api.ok<SegmentAnswer>("POST", `${project.admin}/segments`, project.owner.as, {
        name: "New",
        rules: named(name),
      })
      const user = await aUser(server.api, project)
      await server.api.ok("PATCH", "/client/users/me", user.as, { display_name: name })
      const path = `${project.admin}/segments/${made.id}`
      await server.api.ok("POST", `${path}/evaluate`, project.owner.as)
      const read = () => server.api.ok<SegmentAnswer>("GET", path, project.owner.as)
      await expect.poll(async () => (await read()).last_evaluated_at).not.toBe(null)
      expect((await read()).user_count).toBe(1)
    }
  })
})
