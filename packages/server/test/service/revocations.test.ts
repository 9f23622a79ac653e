import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aUser, type TestDeveloper, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

const aSecond = { timeout: 3_000, interval: 20 }

describe("what one of two servers revokes [B1]", () => {
  const harness = makeHarness()
  let sql: Sql
  let one: TestServer
  let other: TestServer
  let owner: TestDeveloper
  let project: TestProject

  beforeAll(async () => {
    const database = await harness.database()
    sql = database.sql
    one = await harness.server(database.environment)
    other = await harness.server(database.environment)
    owner = await aDeveloper(one.api)
    project = await aProject(one.api, owner)
  }, 40_000)
  afterAll(harness.clear)

  const codeOn = async ({ api }: TestServer, ...call: Parameters<TestServer["api"]["call"]>) =>
    (await api.call(...call)).code

  /** A call that both servers accept until `revoke`, and then refuse with `code`: here at once, there within a second. */
  const expectRevoked = async (
    call: Parameters<TestServer["api"]["call"]>,
    code: string,
    revoke: () => Promise<unknown>,
    accepted: string | null = null,
  ) => {
    expect([await codeOn(one, ...call), await codeOn(other, ...call)]).toEqual([accepted, accepted])
    await revoke()
    expect(await codeOn(one, ...call)).toBe(code)
    await expect.poll(() => codeOn(other, ...call), aSecond).toBe(code)
  }

  const aMember = async (role: string) => {
    const member = await aDeveloper(one.api)
    await one.api.ok("POST", `${project.admin}/members`, owner.as, { email: member.email, role })
    return { ...member, path: `${project.admin}/members/${member.id}` }
  }

  /** A signed-in user, with the call that the user makes and the refresh token. */
  const aSignedIn = async () => {
    const made = await one.api.ok<{ session_token: string; refresh_token: string; user: { id: string } }>(
      "POST",
      "/client/auth/anonymous",
      project.app,
    )
    const as = { ...project.app, authorization: `Bearer ${made.session_token}` }
    const call = ["GET", "/client/streaks", as] as [string, string, typeof as]
    return {
      id: made.user.id,
      refresh_token: made.refresh_token,
      as,
      call,
      path: `${project.admin}/users/${made.user.id}`,
    }
  }

  it("is a role", async () => {
    const admin = await aMember("admin")
    await expectRevoked(
      ["POST", `${project.admin}/events`, admin.as, { events: [] }],
      "FORBIDDEN",
      () => one.api.ok("PATCH", admin.path, owner.as, { role: "viewer" }),
      "INVALID_EVENT",
    )
  })

  it("is a membership", async () => {
    const viewer = await aMember("viewer")
    const call = ["GET", project.admin, viewer.as] as const
    await expectRevoked([...call], "FORBIDDEN", () => one.api.ok("DELETE", viewer.path, owner.as))
  })

  it("is a key", async () => {
    const { as } = await aSignedIn()
    const { id, key } = await one.api.ok<{ id: string; key: string }>("POST", `${project.admin}/api-keys`, owner.as, {})
    await expectRevoked(["GET", "/client/streaks", { ...as, "x-api-key": key }], "UNAUTHORIZED", () =>
      one.api.ok("DELETE", `${project.admin}/api-keys/${id}`, owner.as),
    )
  })

  it("is a session: by logout", async () => {
    const { call, refresh_token } = await aSignedIn()
    await expectRevoked(call, "INVALID_TOKEN", () =>
      one.api.ok("POST", "/client/auth/logout", project.app, { refresh_token }),
    )
  })

  it("is a session: by its user", async () => {
    const { as, call } = await aSignedIn()
    const [own] = await one.api.ok<ReadonlyArray<{ id: string }>>("GET", "/client/auth/sessions", as)
    await expectRevoked(call, "INVALID_TOKEN", () => one.api.ok("DELETE", `/client/auth/sessions/${own?.id}`, as))
  })

  it("is a session: by a second use of its refresh token", async () => {
    const { call, id, refresh_token } = await aSignedIn()
    await one.api.ok("POST", "/client/auth/refresh", project.app, { refresh_token })
    await sql.rows(
      project.id,
      `update app_user_sessions set revoked_at = now() - interval '1 minute'
       where revoked_at is not null and family_id in (select id from app_user_session_families where owner_id = $1)`,
      [id],
    )
    await expectRevoked(call, "INVALID_TOKEN", () =>
      one.api.call("POST", "/client/auth/refresh", project.app, { refresh_token }),
    )
  })

  it("is a user who is disabled", async () => {
    const { call, path } = await aSignedIn()
    await expectRevoked(call, "INVALID_TOKEN", () => one.api.ok("PATCH", path, owner.as, { is_disabled: true }))
  })

  it("is a user who deletes the account", async () => {
    const { as, call } = await aSignedIn()
    await expectRevoked(call, "INVALID_TOKEN", () => one.api.ok("DELETE", "/client/users/me", as))
  })

  it("is the right to write an event [G0.1]", async () => {
    const { as } = await aSignedIn()
    const call = ["POST", "/client/events", as, { event_name: "refund" }] as const
    await expectRevoked([...call], "INVALID_EVENT_NAME", () =>
      one.api.ok("PATCH", project.admin, owner.as, { server_events: ["refund"] }),
    )
    // Also where it is written without the service.
    await sql.rows("hearth", "update projects set server_events = '[]' where id = $1", [project.id])
    await expect.poll(() => codeOn(one, ...call), aSecond).toBe(null)
    await expect.poll(() => codeOn(other, ...call), aSecond).toBe(null)
  })

  it("is a project, with its keys and roles", async () => {
    const doomed = await aProject(one.api, owner)
    const user = await aUser(one.api, doomed)
    const admin = ["GET", doomed.admin, owner.as] as const
    expect([await codeOn(one, ...admin), await codeOn(other, ...admin)]).toEqual([null, null])
    await expectRevoked(["GET", "/client/streaks", user.as], "UNAUTHORIZED", () =>
      one.api.ok("DELETE", doomed.admin, owner.as),
    )
    expect(await codeOn(one, ...admin)).toBe("FORBIDDEN")
    await expect.poll(() => codeOn(other, ...admin), aSecond).toBe("FORBIDDEN")
  })

  const listening = "application_name = 'hearth listener'"
  const readiness = async ({ api }: TestServer) => {
    const response = await api.root("/health/ready")
    const lines = (await response.text()).trim().split("\n")
    const found = lines.map((line) => JSON.parse(line)).find(({ dependency }) => dependency === "notifications")
    return `${response.status} ${found?.status}`
  }

  it("holds within a second while no server hears, readiness says degraded, and both heal by themselves", async () => {
    expect(await Promise.all([one, other].map(readiness))).toEqual(["200 ok", "200 ok"])
    const { call, path } = await aSignedIn()
    expect([await codeOn(one, ...call), await codeOn(other, ...call)]).toEqual([null, null])
    await sql.rows("postgres", "alter database hearth with allow_connections false")
    await sql.rows("postgres", `select pg_terminate_backend(pid) from pg_stat_activity where ${listening}`)
    await expect.poll(() => readiness(other), aSecond).toBe("200 degraded")
    await one.api.ok("PATCH", path, owner.as, { is_disabled: true })
    expect(await codeOn(one, ...call)).toBe("INVALID_TOKEN")
    await expect.poll(() => codeOn(other, ...call), { timeout: 3_000, interval: 20 }).toBe("INVALID_TOKEN")
    await sql.rows("postgres", "alter database hearth with allow_connections true")
    await expect.poll(() => Promise.all([one, other].map(readiness))).toEqual(["200 ok", "200 ok"])
    const next = await aSignedIn()
    await expectRevoked(next.call, "INVALID_TOKEN", () =>
      one.api.ok("PATCH", next.path, owner.as, { is_disabled: true }),
    )
  })
})
