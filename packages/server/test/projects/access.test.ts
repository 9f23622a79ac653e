import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Credentials } from "../harness/api.ts"
import { aDeveloper, aProject, aStreak, aUser, type TestDeveloper, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { databaseOf } from "../harness/sql.ts"

describe("who may do what", () => {
  const harness = makeHarness()
  const dataDir = harness.folder()
  const sql = sqlIn(dataDir)
  let server: TestServer
  let owner: TestDeveloper
  let project: TestProject
  const members: Record<string, TestDeveloper> = {}

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: dataDir })
    owner = await aDeveloper(server.api)
    project = await aProject(server.api, owner)
    members["owner"] = owner
    members["stranger"] = await aDeveloper(server.api)
    for (const role of ["admin", "viewer"]) {
      members[role] = await aDeveloper(server.api)
      const body = { email: members[role].email, role }
      await server.api.ok("POST", `${project.admin}/members`, owner.as, body)
    }
  })
  afterAll(harness.clear)

  const statusFor = async (as: Credentials, method: string, path: string, body?: unknown) =>
    (await server.api.call(method, path, as, body)).status

  it.each([
    ["reads the project", "GET", "", undefined, [200, 200, 200, 403]],
    ["reads the members", "GET", "/members", undefined, [200, 200, 200, 403]],
    ["reads the client keys", "GET", "/api-keys", undefined, [200, 200, 200, 403]],
    ["renames the project", "PATCH", "", { name: "Renamed" }, [200, 200, 403, 403]],
    ["makes a client key", "POST", "/api-keys", { name: "Another" }, [201, 201, 403, 403]],
    ["defines a streak", "POST", "/streaks", { name: "A", qualifying_event: "a" }, [201, 201, 403, 403]],
    ["posts events", "POST", "/events", { events: [] }, [400, 400, 403, 403]],
    [
      "makes somebody an owner",
      "POST",
      "/members",
      { email: "nobody@example.com", role: "owner" },
      [404, 404, 403, 403],
    ],
  ])("%s", async (_, method, path, body, expected) => {
    const statuses: Array<number> = []
    for (const role of ["owner", "admin", "viewer", "stranger"])
      statuses.push(await statusFor(members[role]?.as ?? {}, method, `${project.admin}${path}`, body))
    expect(statuses).toEqual(expected)
  })

  it("lets only owners manage owners and delete the project", async () => {
    const { admin = owner, viewer = owner } = members
    const path = `${project.admin}/members/${owner.id}`
    expect(await statusFor(admin.as, "PATCH", path, { role: "viewer" })).toBe(403)
    expect(await statusFor(admin.as, "DELETE", path)).toBe(403)
    expect(await statusFor(admin.as, "PATCH", `${project.admin}/members/${viewer.id}`, { role: "owner" })).toBe(403)
    expect(await statusFor(admin.as, "DELETE", project.admin)).toBe(403)
    const last = await server.api.call("DELETE", path, owner.as)
    expect([last.status, last.code]).toEqual([409, "LAST_OWNER"])
  })

  it("keeps projects apart: a session token of one is none in another", async () => {
    const { api } = server
    const [user, other] = [await aUser(api, project), await aProject(api)]
    const answer = await api.call("GET", "/client/users/me", { ...user.as, ...other.app })
    expect([answer.status, answer.code]).toEqual([401, "INVALID_TOKEN"])
    const seen = await api.call("GET", `${other.admin}/users/${user.id}`, other.owner.as)
    expect([seen.status, seen.code]).toEqual([404, "NOT_FOUND"])
    const named = { app_user_id: user.id, event_name: "lesson_completed" }
    expect((await api.call("POST", `${other.admin}/events`, other.owner.as, named)).code).toBe("INVALID_APP_USER_ID")
  })

  it("refuses an ended member, a revoked key and the session of a deleted user from the next request", async () => {
    const { api } = server
    const guest = await aDeveloper(api)
    await api.ok("POST", `${project.admin}/members`, owner.as, { email: guest.email, role: "viewer" })
    const key = await api.ok<{ id: string; key: string }>("POST", `${project.admin}/api-keys`, owner.as, {})
    const user = await aUser(api, project)
    await aStreak(api, project)
    await api.ok("POST", "/client/events", user.as, { event_name: "lesson_completed" })
    const withKey = { ...user.as, "x-api-key": key.key }
    const refusals = async () => [
      (await api.call("GET", project.admin, guest.as)).code,
      (await api.call("GET", "/client/streaks", withKey)).code,
      (await api.call("POST", "/client/events", user.as, { event_name: "lesson_completed" })).code,
      (await api.call("GET", "/client/users/me", user.as)).code,
    ]
    expect(await refusals()).toEqual([null, null, null, null])

    await api.ok("DELETE", `${project.admin}/members/${guest.id}`, owner.as)
    await api.ok("DELETE", `${project.admin}/api-keys/${key.id}`, owner.as)
    expect(await api.ok("DELETE", "/client/users/me", user.as)).toEqual({ deleted: true })
    expect(await refusals()).toEqual(["FORBIDDEN", "UNAUTHORIZED", "INVALID_TOKEN", "INVALID_TOKEN"])
    const left = await sql.rows(
      project.id,
      `select (select count(*)::int from app_users where id = $1) as users,
        (select count(*)::int from engagement_events where app_user_id = $1) as events,
        (select count(*)::int from user_streaks where app_user_id = $1) as streaks,
        (select count(*)::int from app_user_session_families where owner_id = $1) as sessions`,
      [user.id],
    )
    expect(left).toEqual([{ users: 0, events: 0, streaks: 0, sessions: 0 }])
    expect((await api.call("GET", `${project.admin}/users/${user.id}`, owner.as)).code).toBe("NOT_FOUND")
  })

  it("drops the database of a deleted project, and refuses all calls for it from the next request", async () => {
    const { api } = server
    const doomed = await aProject(api, owner)
    const user = await aUser(api, doomed)
    // Remembered, with the role and the session.
    await api.ok("GET", doomed.admin, owner.as)
    await api.ok("GET", "/client/streaks", user.as)
    const databases = () =>
      sql.rows("postgres", "select 1 from pg_database where datname = $1", [databaseOf(doomed.id)])
    expect(await databases()).toHaveLength(1)
    expect(await api.ok("DELETE", doomed.admin, owner.as)).toEqual({ deleted: true })
    expect(await databases()).toEqual([])
    const listed = await api.ok<ReadonlyArray<{ id: string }>>("GET", "/admin/projects", owner.as)
    expect(listed.map(({ id }) => id)).not.toContain(doomed.id)
    const refusals = async () => [
      (await api.call("GET", doomed.admin, owner.as)).code,
      (await api.call("GET", "/client/streaks", user.as)).code,
    ]
    expect(await refusals()).toEqual(["FORBIDDEN", "UNAUTHORIZED"])
    expect((await api.call("GET", project.admin, owner.as)).status).toBe(200)
  })
})
