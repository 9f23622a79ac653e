import { randomUUID } from "node:crypto"
import { type PostgresProxy, startPostgresProxy } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

const ingest = "insert-and-queue-event"
const commit = "commit\0"

describe("a connection that is cut between a statement and its answer", () => {
  const harness = makeHarness()
  let sql: Sql
  let proxy: PostgresProxy
  let server: TestServer
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    const database = await harness.database()
    sql = database.sql
    proxy = await startPostgresProxy(database.environment["DATABASE_URL"] ?? "")
    const DATABASE_URL = proxy.through(database.environment["DATABASE_URL"] ?? "")
    server = await harness.server({ ...database.environment, DATABASE_URL })
    project = await aProject(server.api)
    user = await aUser(server.api, project)
  })
  afterAll(async () => {
    await harness.clear()
    await proxy.close()
  })

  const eventsOf = (name: string) =>
    sql.rows(project.id, "select 1 from engagement_events where event_name = $1", [name])
  const record = (events: ReadonlyArray<object>) =>
    server.api.call<object>("POST", `${project.admin}/events`, project.owner.as, { events })

  it.each(["before", "after", "sent", "stalled"] as const)("%s: every event is in the log once", async (where) => {
    const name = `lesson-${where}`
    const event = { app_user_id: user.id, event_name: name }
    const kept = randomUUID()
    await record([{ ...event, event_id: kept }])
    for (const events of [[event], [event, { ...event, event_id: kept }, { ...event, event_id: randomUUID() }]]) {
      const cut = proxy.cutAt(ingest, where)
      const { status, data } = await record(events)
      await cut
      const inserted = events.length === 1 ? 1 : 2
      const skipped = events.length - inserted
      expect([status, data]).toEqual([200, { inserted, skipped, tracked: inserted }])
    }
    expect(await eventsOf(name)).toHaveLength(4)
  })

  it.each(["before", "after", "sent", "stalled"] as const)(
    "%s: a refresh answers the pair that holds",
    async (where) => {
      const signedIn = await server.api.ok<{ refresh_token: string }>("POST", "/client/auth/anonymous", project.app)
      const cut = proxy.cutAt(commit, where)
      const body = { refresh_token: signedIn.refresh_token }
      const pair = await server.api.ok<{ refresh_token: string }>("POST", "/client/auth/refresh", project.app, body)
      await cut
      const next = { refresh_token: pair.refresh_token }
      expect((await server.api.call("POST", "/client/auth/refresh", project.app, next)).status).toBe(200)
    },
  )

  it("says that the outcome is unknown where no connection answers for five seconds", async () => {
    const name = "lesson-unknown"
    // The control database is on the same server, and away too.
    const cut = proxy.cutAt(ingest, "after").then(() => proxy.cutOff())
    const began = performance.now()
    const { status, code, text } = await record([{ app_user_id: user.id, event_name: name }])
    expect(performance.now() - began).toBeGreaterThan(4_900)
    await cut
    proxy.refuse(false)
    await expect.poll(async () => (await server.api.call("GET", project.admin, project.owner.as)).status).toBe(200)
    expect([status, code]).toEqual([502, "TENANT_UNAVAILABLE"])
    expect(JSON.parse(text).error.details).toEqual({ outcome: "unknown" })
    expect(await eventsOf(name)).toHaveLength(1)
  })
})
