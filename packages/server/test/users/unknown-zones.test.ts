import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aStreak, aUser, streaksOf, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"

describe("a zone in the database that this runtime does not know", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let streak: string
  let lost: TestUser
  let other: TestUser

  beforeAll(async () => {
    const folder = harness.folder()
    server = await harness.server({ DATA_DIR: folder })
    project = await aProject(server.api)
    streak = await aStreak(server.api, project)
    lost = await aUser(server.api, project)
    other = await aUser(server.api, project, "Asia/Tokyo")
    await sqlIn(folder).rows(project.id, "update app_users set timezone = 'Mars/Olympus' where id = $1", [lost.id])
  })
  afterAll(harness.clear)

  const admin = <Data>(method: string, path: string, body?: unknown) =>
    server.api.call<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const file = async (path: string) => {
    const answer = await fetch(`${server.url}/v1${project.admin}${path}`, { headers: project.owner.as })
    return answer.text()
  }

  it("costs nobody else anything, and is counted", async () => {
    const { api } = server
    const events = [lost, other].map(({ id }) => ({ app_user_id: id, event_name: "lesson_completed" }))
    expect(await admin("POST", "/events", { events })).toMatchObject({ status: 200, data: { inserted: 2 } })
    const counts = async () =>
      Promise.all([lost, other].map(async ({ id }) => (await streaksOf(api, project, id))[0]?.current_count))
    await expect.poll(counts).toEqual([1, 1])
    expect((await admin<ReadonlyArray<unknown>>("GET", "/background/dead")).data).toEqual([])
    expect(await (await api.root("/metrics")).text()).toContain('hearth_signals_total{name="unknown_time_zone"} 1')
  })

  it("stays with its user until a known one is set", async () => {
    const { api } = server
    const rules = { operator: "AND", conditions: [{ field: `streaks.${streak}.current_count`, op: "gte", value: 1 }] }
    const { data: segment } = await admin<{ id: string }>("POST", "/segments", { name: "Keen", rules })
    const counted = async () => (await admin<{ user_count: number }>("GET", `/segments/${segment.id}`)).data.user_count
    await expect.poll(counted).toBe(2)
    expect((await admin("GET", "/users")).status).toBe(200)
    expect(await file(`/users/${lost.id}/export`)).toContain("Mars/Olympus")
    expect(await file("/users/export")).toContain(lost.id)
    expect(await api.ok("GET", "/client/streaks", lost.as)).toMatchObject([{ status: "active" }])
    expect(await api.ok("POST", `/client/streaks/${streak}/qualify`, lost.as)).toMatchObject({ status: "active" })
    expect((await admin("POST", `/users/${lost.id}/streaks/${streak}/grant-shield`)).status).toBeLessThan(500)
    const patch = (body: object) => api.call("PATCH", "/client/users/me", lost.as, body)
    expect(await patch({ display_name: "Lost" })).toMatchObject({ status: 200, data: { timezone: "Mars/Olympus" } })
    expect(await patch({ timezone: "Mars/Olympus" })).toMatchObject({ status: 400, code: "INVALID_TIMEZONE" })
    expect(await patch({ timezone: "Europe/Berlin" })).toMatchObject({ status: 200 })
    expect(await api.ok("GET", "/client/streaks", lost.as)).toMatchObject([{ status: "active" }])
  })

  it("does not keep its user from being removed", async () => {
    expect((await server.api.call("DELETE", "/client/users/me", lost.as)).status).toBe(200)
    expect(await streaksOf(server.api, project, other.id)).toMatchObject([{ status: "active" }])
  })
})
