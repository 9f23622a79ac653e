import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aStreak, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("what apps may write, from the outside", () => {
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

  const patch = (changes: object) => server.api.call("PATCH", project.admin, project.owner.as, changes)
  const track = async (body: object) => (await server.api.call("POST", "/client/events", user.as, body)).code

  it("a project says so, with defaults [G0.1, G0.2]", async () => {
    const { admin, owner } = await aProject(server.api)
    const read = () => server.api.ok("GET", admin, owner.as)
    expect(await read()).toMatchObject({ server_events: [], client_backdate_hours: 720 })
    const names = Array.from({ length: 100 }, (_, n) => `event ${n}`)
    await server.api.ok("PATCH", admin, owner.as, { server_events: names, client_backdate_hours: 8760 })
    expect(await read()).toMatchObject({ server_events: names, client_backdate_hours: 8760 })
    const created = await server.api.ok("POST", "/admin/projects", owner.as, {
      name: "Made",
      server_events: ["refund"],
      client_backdate_hours: 1,
    })
    expect(created).toMatchObject({ server_events: ["refund"], client_backdate_hours: 1 })
  })

  it.each([
    { server_events: Array.from({ length: 101 }, (_, n) => `event ${n}`) },
    { server_events: [""] },
    { server_events: ["x".repeat(256)] },
    { server_events: [7] },
    { server_events: "refund" },
    { server_events: null },
    { client_backdate_hours: 0 },
    { client_backdate_hours: 8761 },
    { client_backdate_hours: 1.5 },
    { client_backdate_hours: "720" },
    { client_backdate_hours: null },
  ])("%j is refused [G0.1, G0.2]", async (changes) => {
    expect(await patch(changes)).toMatchObject({ status: 400, code: "INVALID_INPUT" })
    const made = await server.api.call("POST", "/admin/projects", project.owner.as, { name: "Bad", ...changes })
    expect(made).toMatchObject({ status: 400, code: "INVALID_INPUT" })
  })

  it("reserved names are refused to apps and their calls of qualify, and not to developers [G0.1]", async () => {
    await patch({ server_events: ["refund"], client_backdate_hours: 720 })
    for (const event_name of ["xp_awarded", "onboarding_started", "paywall_x", "subscription_x", "refund"]) {
      expect(await track({ event_name })).toBe("INVALID_EVENT_NAME")
      const events = [{ app_user_id: user.id, event_name }]
      await server.api.ok("POST", `${project.admin}/events`, project.owner.as, { events })
    }
    const streak = await aStreak(server.api, project, { qualifying_event: "refund" })
    const qualified = await server.api.call("POST", `/client/streaks/${streak}/qualify`, user.as)
    expect(qualified).toMatchObject({ status: 403, code: "FORBIDDEN" })
  })

  it("events of too long ago are refused to apps [G0.2]", async () => {
    await patch({ client_backdate_hours: 24 })
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
    expect(await track({ event_name: "lesson", occurred_at: ago(23) })).toBeNull()
    expect(await track({ event_name: "lesson", occurred_at: ago(25) })).toBe("INVALID_OCCURRED_AT")
  })
})
