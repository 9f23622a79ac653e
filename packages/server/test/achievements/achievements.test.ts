import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Answer {
  readonly id: string
  readonly key: string
  readonly unlocked_at: string | null
  readonly progress: { readonly current: number; readonly target: number }
}

const wins = (count: number) => ({ all: [{ event: "win", count }] })

describe("achievements, from the outside", () => {
  const harness = makeHarness()
  const environment = { DATA_DIR: harness.folder() }
  let server: TestServer
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    server = await harness.server(environment)
    project = await aProject(server.api)
    user = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  const admin = <Data = Answer>(method: string, path: string, body?: unknown) =>
    server.api.ok<Data>(method, project.admin + path, project.owner.as, body)
  const own = () => server.api.ok<ReadonlyArray<Answer>>("GET", "/client/achievements", user.as)
  const win = (properties: object = {}) =>
    server.api.ok("POST", "/client/events", user.as, { event_name: "win", properties })

  /** Status and code, or status and data, of a call. */
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}/v1${project.admin}${path}`, {
      method,
      headers: { ...project.owner.as, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { data, error } = (await response.json()) as { data?: unknown; error?: { code: string } }
    return [response.status, error?.code ?? data]
  }

  it("are unlocked by events, with XP that the user sees [G1.2]", async () => {
    const jumper = await aUser(server.api, project)
    const mine = <Data>(path: string) => server.api.ok<Data>("GET", `/client/${path}`, jumper.as)
    const made = await admin("POST", "/achievements", {
      key: "two.jumps",
      name: "Two",
      criteria: { all: [{ event: "jump", count: 2 }] },
      xp_reward: 15,
    })
    const jump = { event_name: "jump" }
    await server.api.ok("POST", "/client/events", jumper.as, { events: [jump, jump] })
    await expect
      .poll(async () => (await mine<ReadonlyArray<Answer>>("achievements")).find(({ id }) => id === made.id))
      .toMatchObject({
        key: "two.jumps",
        unlocked_at: expect.any(String),
        progress: { current: 2, target: 2 },
      })
    expect(await mine("xp")).toMatchObject({ total: 15 })
    const rules = { all: [{ field: "achievements.two.jumps", op: "eq", value: true }] }
    expect(await admin("POST", "/segments/preview", { rules })).toMatchObject({
      user_count: 1,
      sample: [{ id: jumper.id }],
    })
  })

  it("are evaluated for what was done before they were made [G1.3]", async () => {
    await win({ points: 2.5 })
    const criteria = { any: [{ event: "win", sum: { property: "points", value: 2.5 } }] }
    expect(await admin("POST", "/achievements/preview", { criteria })).toEqual({ would_unlock: 1, sample: [user.id] })
    const { id } = await admin("POST", "/achievements", { key: "retro", name: "Retro", criteria, is_active: false })
    expect(await call("POST", `/achievements/${id}/evaluate`)).toEqual([409, "INACTIVE"])
    await admin("PATCH", `/achievements/${id}`, { is_active: true })
    const dry = await call("POST", `/achievements/${id}/evaluate`, { dry_run: true })
    expect(dry).toEqual([200, { would_unlock: 1, sample: [user.id] }])
    const started = await call("POST", `/achievements/${id}/evaluate`)
    expect(started).toEqual([200, { status: "evaluating", achievement_id: id }])
    await expect.poll(async () => (await own()).find((each) => each.id === id)?.unlocked_at).toEqual(expect.any(String))
    expect(await call("POST", `/achievements/${id}/evaluate`, { dry_run: true })).toEqual([
      200,
      { would_unlock: 0, sample: [] },
    ])
  })

  it("are given and taken back by hand [G1.6]", async () => {
    const { id } = await admin("POST", "/achievements", {
      key: "hand",
      name: "Hand",
      criteria: wins(999),
      xp_reward: 5,
    })
    const path = `/users/${user.id}/achievements/${id}`
    expect(await call("POST", path)).toEqual([
      201,
      expect.objectContaining({ id, progress: { current: 999, target: 999 } }),
    ])
    expect((await call("POST", path))[0]).toBe(200)
    expect(await call("DELETE", path)).toEqual([200, { deleted: true }])
    expect(await call("DELETE", path)).toEqual([200, { deleted: true }])
    expect((await call("POST", path))[0]).toBe(201)
    const none = randomUUID()
    for (const method of ["POST", "DELETE"]) {
      expect(await call(method, `/users/${none}/achievements/${id}`)).toEqual([404, "USER_NOT_FOUND"])
      expect(await call(method, `/users/${user.id}/achievements/${none}`)).toEqual([404, "NOT_FOUND"])
    }
    expect(await call("GET", `/users/${none}/achievements`)).toEqual([404, "USER_NOT_FOUND"])
  })

  it.each<readonly [string, object, string]>([
    ["without a key", { name: "x", criteria: wins(1) }, "INVALID_INPUT"],
    ["with an empty key", { key: "", name: "x", criteria: wins(1) }, "INVALID_INPUT"],
    ["with a key that is too long", { key: "x".repeat(256), name: "x", criteria: wins(1) }, "INVALID_INPUT"],
    ["without a name", { key: "x", criteria: wins(1) }, "INVALID_INPUT"],
    ["without criteria", { key: "x", name: "x" }, "INVALID_INPUT"],
    ["with criteria that are null", { key: "x", name: "x", criteria: null }, "INVALID_CRITERIA"],
    ["with criteria that are empty", { key: "x", name: "x", criteria: {} }, "INVALID_CRITERIA"],
    ["with a reward below 0", { key: "x", name: "x", criteria: wins(1), xp_reward: -1 }, "INVALID_INPUT"],
    [
      "with a reward that is too large",
      { key: "x", name: "x", criteria: wins(1), xp_reward: 1_000_000_001 },
      "INVALID_INPUT",
    ],
    ["with a part of a reward", { key: "x", name: "x", criteria: wins(1), xp_reward: 0.5 }, "INVALID_INPUT"],
    ["with an order out of range", { key: "x", name: "x", criteria: wins(1), sort_order: 2 ** 31 }, "INVALID_INPUT"],
    ["with a flag that is none", { key: "x", name: "x", criteria: wins(1), is_hidden: "no" }, "INVALID_INPUT"],
  ])("are not made %s", async (_, body, code) => {
    expect(await call("POST", "/achievements", body)).toEqual([400, code])
  })

  it("have a key of their own [G1.5]", async () => {
    const body = { key: "mine", name: "Mine", criteria: wins(1) }
    await admin("POST", "/achievements", body)
    expect(await call("POST", "/achievements", body)).toEqual([409, "KEY_EXISTS"])
  })

  it("are evaluated only with a flag that is one", async () => {
    const { id } = await admin("POST", "/achievements", { key: "flag", name: "Flag", criteria: { any: [] } })
    expect(await call("POST", `/achievements/${id}/evaluate`, { dry_run: "yes" })).toEqual([400, "INVALID_INPUT"])
    expect(await call("POST", `/achievements/${randomUUID()}/evaluate`)).toEqual([404, "NOT_FOUND"])
  })

  it("are in the file about their user", async () => {
    const response = await fetch(`${server.url}/v1${project.admin}/users/${user.id}/export`, {
      headers: project.owner.as,
    })
    const text = await response.text()
    expect(response.status, text).toBe(200)
    expect(text).toContain("user_achievements")
  })
})
