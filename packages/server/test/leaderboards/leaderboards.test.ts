import { randomUUID } from "node:crypto"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

interface Board {
  readonly id: string
  readonly filling: boolean
}

interface Entry {
  readonly app_user_id: string
  readonly rank: number | null
  readonly score: number
}

const custom = { name: "Points", metric: "custom", custom_event: "scored:points" }

describe("leaderboards, from the outside", () => {
  const harness = makeHarness()
  const environment = { DATA_DIR: harness.folder() }
  let server: TestServer
  let project: TestProject
  let first: TestUser
  let second: TestUser
  let third: TestUser

  beforeAll(async () => {
    server = await harness.server(environment)
    project = await aProject(server.api)
    first = await aUser(server.api, project)
    second = await aUser(server.api, project)
    third = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  const admin = <Data>(method: string, path: string, body?: unknown) =>
    server.api.ok<Data>(method, `${project.admin}/leaderboards${path}`, project.owner.as, body)
  const refused = async (method: string, path: string, body?: unknown) => {
    const { status, code } = await server.api.call(
      method,
      `${project.admin}/leaderboards${path}`,
      project.owner.as,
      body,
    )
    return [status, code]
  }
  const own = async (user: TestUser, path: string) => {
    const { status, code, text } = await server.api.call("GET", `/client/leaderboards${path}`, user.as)
    return { status, code, body: JSON.parse(text) }
  }
  const score = (user: TestUser, points: unknown, more: object = {}) =>
    server.api.ok("POST", `${project.admin}/events`, project.owner.as, {
      ...{ app_user_id: user.id, event_name: "scored", properties: { points }, ...more },
    })
  const create = async (given: object = {}) => {
    const board = await admin<Board>("POST", "", { ...custom, ...given })
    await expect.poll(() => admin<Board>("GET", `/${board.id}`)).toMatchObject({ filling: false })
    return board
  }
  const entries = async (id: string, query = "") =>
    (await admin<ReadonlyArray<Entry>>("GET", `/${id}/entries${query}`)).map((each) => [
      each.app_user_id,
      each.score,
      each.rank,
    ])

  it("are created with the spec's defaults, and refuse what is no leaderboard [G3.1]", async () => {
    const name = "x".repeat(200)
    expect(await admin("POST", "", { name, metric: "streak_length" })).toMatchObject({
      ...{ name, period: "all_time", max_entries: 100, custom_event: null, is_active: true, filling: true },
    })
    const wrong: ReadonlyArray<object> = [
      ...[{ metric: "xp" }, { name: "", metric: "xp" }, { name: `${name}x`, metric: "xp" }, { name: "A" }],
      ...[
        { name: "A", metric: "other" },
        { name: "A", metric: "xp", period: "yearly" },
        { name: "A", metric: "xp", period: null },
      ],
      ...[0, -1, 1.5, 1_000_001, "5", null].map((max_entries) => ({ name: "A", metric: "xp", max_entries })),
      ...[
        { name: "A", metric: "custom" },
        { name: "A", metric: "custom", custom_event: null },
      ],
      ...[
        { name: "A", metric: "custom", custom_event: "" },
        { name: "A", metric: "xp", custom_event: "lesson" },
      ],
      ...[
        { name: "A", metric: "custom", custom_event: ":points" },
        { name: "A", metric: "custom", custom_event: "a\u0000" },
      ],
      ...[{ name: "A", metric: "streak_length", custom_event: "lesson" }],
    ]
    for (const body of wrong) expect([body, await refused("POST", "", body)]).toEqual([body, [400, "INVALID_INPUT"]])
    for (const max_entries of [1, 1_000_000])
      expect(await admin("POST", "", { name: "A", metric: "xp", max_entries })).toMatchObject({ max_entries })
    const { id } = await create()
    for (const body of [
      { metric: "xp" },
      { custom_event: null },
      { max_entries: 0 },
      { is_active: null },
      { name: "" },
    ])
      expect([body, await refused("PATCH", `/${id}`, body)]).toEqual([body, [400, "INVALID_INPUT"]])
    for (const path of [`/${randomUUID()}`, "/no-uuid"]) {
      expect(await refused("GET", path)).toEqual([404, "NOT_FOUND"])
      expect(await refused("PATCH", path, { name: "A" })).toEqual([404, "NOT_FOUND"])
      expect(await refused("GET", `${path}/entries`)).toEqual([404, "NOT_FOUND"])
      expect(await refused("POST", `${path}/rebuild`)).toEqual([404, "NOT_FOUND"])
      expect(await refused("POST", `${path}/rebuild?dry_run=true`)).toEqual([404, "NOT_FOUND"])
    }
    expect(await admin("DELETE", `/${randomUUID()}`)).toEqual({ deleted: true })
  })

  it("show ranks on both planes, with the faces of users, and where the caller stands [G3.5]", async () => {
    const jumped = { event_name: "jumped" }
    const { id } = await create({ custom_event: "jumped:points", period: "weekly", max_entries: 2 })
    await score(first, 0.1, jumped)
    await score(first, 0.2, jumped)
    await score(second, 5, jumped)
    await score(third, -1, jumped)
    await score(third, "many", jumped)
    await expect.poll(async () => (await entries(id)).length).toBe(3)
    expect(await entries(id)).toEqual([
      [second.id, 5, 1],
      [first.id, 0.3, 2],
      [third.id, -1, null],
    ])
    const { text } = await server.api.call(
      "GET",
      `${project.admin}/leaderboards/${id}/entries?limit=1&offset=1`,
      project.owner.as,
    )
    const page = JSON.parse(text)
    expect(page).toMatchObject({
      total: 3,
      offset: 1,
      limit: 1,
      data: [{ leaderboard_id: id, app_user_id: first.id, rank: 2 }],
    })
    expect(page.data[0].app_users).toEqual({ display_name: page.data[0].display_name, avatar_url: null })
    expect(page.data[0].display_name).toEqual(expect.any(String))

    const mine = await own(third, `/${id}/entries?around=me&limit=1&offset=77`)
    expect(mine.body).toMatchObject({ total: 3, offset: 2, limit: 1, me: { rank: null, score: -1 } })
    expect(mine.body.data).toMatchObject([{ app_user_id: third.id, rank: null, score: -1 }])
    expect((await own(first, `/${id}/entries`)).body).toMatchObject({
      ...{ total: 3, offset: 0, limit: 50, me: { rank: 2, score: 0.3 } },
    })
    const stranger = await aUser(server.api, project)
    expect((await own(stranger, `/${id}/entries?around=me`)).body).toMatchObject({ offset: 0, total: 3, me: null })

    const listed = (await own(first, "")).body.data.find((board: Board) => board.id === id)
    expect(Date.parse(listed.window_end) - Date.parse(listed.window_start)).toBe(7 * 86_400_000)
    const before = new Date(Date.parse(listed.window_start) - 1).toISOString()
    await score(second, 9, { ...jumped, occurred_at: before })
    await expect.poll(() => entries(id, `?at=${before}`)).toEqual([[second.id, 9, 1]])
    expect((await own(second, `/${id}/entries?at=${before}`)).body).toMatchObject({
      total: 1,
      me: { rank: 1, score: 9 },
    })
    const earlier = (await own(first, `?at=${before}`)).body.data.find((board: Board) => board.id === id)
    expect(earlier.window_end).toBe(listed.window_start)

    await admin("PATCH", `/${id}`, { is_active: false })
    expect(await own(first, `/${id}/entries`)).toMatchObject({ status: 404, code: "NOT_FOUND" })
    expect((await own(first, "")).body.data.map((board: Board) => board.id)).not.toContain(id)
    expect(await entries(id)).toHaveLength(3)
  })

  it("refuse a bad at, limit, offset and around [G3.3]", async () => {
    const { id } = await create()
    for (const at of ["", "yesterday", "2026-13-01", "1", "2026-01-01T00:00:00"]) {
      expect(await refused("GET", `/${id}/entries?at=${at}`)).toEqual([400, "INVALID_AT"])
      expect(await own(first, `/${id}/entries?at=${at}`)).toMatchObject({ status: 400, code: "INVALID_AT" })
      expect(await own(first, `?at=${at}`)).toMatchObject({ status: 400, code: "INVALID_AT" })
    }
    for (const at of ["0002-01-01", "9999-12-31T23:59:59.999Z"]) {
      expect(await entries(id, `?at=${at}`)).toEqual(await entries(id))
      expect((await own(first, `?at=${at}`)).status).toBe(200)
    }
    for (const limit of ["0", "1001", "-1", "a", ""]) {
      expect(await refused("GET", `/${id}/entries?limit=${limit}`)).toEqual([400, "INVALID_LIMIT"])
      expect(await own(first, `/${id}/entries?around=me&limit=${limit}`)).toMatchObject({ code: "INVALID_LIMIT" })
    }
    expect(await refused("GET", `/${id}/entries?offset=-1`)).toEqual([400, "INVALID_OFFSET"])
    expect(await own(first, `/${id}/entries?offset=9007199254740991`)).toMatchObject({ status: 200 })
    expect(await refused("GET", `/${id}/entries?offset=9007199254740992`)).toEqual([400, "INVALID_OFFSET"])
    expect(await own(first, `/${id}/entries?around=you`)).toMatchObject({ status: 400, code: "INVALID_INPUT" })
    expect(await refused("POST", `/${id}/rebuild?dry_run=maybe`)).toEqual([400, "INVALID_INPUT"])
  })

  it("are made right by a rebuild, which says before what it would change [G3.6]", async () => {
    const threw = { event_name: "threw" }
    const { id } = await create({ custom_event: "threw:points" })
    await score(first, 0.3, threw)
    await score(second, 15, threw)
    await score(third, -1, threw)
    await expect.poll(async () => (await entries(id)).length).toBe(3)
    const differences = () => admin<{ differences: number }>("POST", `/${id}/rebuild?dry_run=true`)
    expect(await differences()).toEqual({ differences: 0 })
    const right = await entries(id)
    const sql = sqlIn(environment.DATA_DIR)
    await sql.rows(
      project.id,
      `update leaderboard_scores set score = score + 100 where app_user_id = '${third.id}' and leaderboard_id = '${id}'`,
    )
    await sql.rows(
      project.id,
      `delete from leaderboard_scores where app_user_id = '${first.id}' and leaderboard_id = '${id}'`,
    )
    expect((await entries(id))[0]).toMatchObject([third.id, expect.any(Number), 1])
    expect(await differences()).toEqual({ differences: 2 })
    expect(await admin("POST", `/${id}/rebuild`)).toEqual({ status: "rebuilding" })
    await expect.poll(differences).toEqual({ differences: 0 })
    expect(await entries(id)).toEqual(right)
  })

  it("do not list who is disabled, and are in the file about a user with the ranks of then [G3.2]", async () => {
    const { id } = await create({ period: "daily", custom_event: "scored:" })
    const user = await aUser(server.api, project)
    for (let times = 0; times < 9; times += 1) await score(user, 1)
    await expect.poll(async () => (await entries(id))[0]).toEqual([user.id, 9, 1])
    const file = async () => {
      const url = `${server.url}/v1${project.admin}/users/${user.id}/export`
      const text = await (await fetch(url, { headers: project.owner.as })).text()
      const rows = text
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
      return rows.filter((row) => row.section === "leaderboard_entries" && row.data.leaderboard_id === id)
    }
    expect(await file()).toMatchObject([{ data: { app_user_id: user.id, rank: 1, score: 9 } }])
    const path = `${project.admin}/users/${user.id}`
    await server.api.ok("PATCH", path, project.owner.as, { is_disabled: true })
    expect((await entries(id)).map(([userId]) => userId)).not.toContain(user.id)
    expect(await file()).toMatchObject([{ data: { rank: null, score: 9 } }])
    await server.api.ok("PATCH", path, project.owner.as, { is_disabled: false })
    expect((await entries(id))[0]).toEqual([user.id, 9, 1])
  })
})
