import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

describe("reports of users under races", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let sql: Sql

  beforeAll(async () => {
    const database = await harness.database()
    sql = database.sql
    server = await harness.server(database.environment)
    project = await aProject(server.api)
  })
  afterAll(harness.clear)

  const waitingFor = (text: string) => async () =>
    (
      await sql.rows("postgres", "select from pg_stat_activity where wait_event_type = 'Lock' and query like $1", [
        text,
      ])
    ).length

  it("keep nobody waiting who changes the user and is waited for [I6.4]", async () => {
    const ada = await aUser(server.api, project)
    const session = await sql.session(project.id)
    // As a change of `external_id` does: it locks the user, and then more of the user, as the column is unique.
    await session.run(`begin; select from app_users where id = '${ada.id}' for no key update`)
    const report = { target_type: "user", target_id: ada.id, reason: "it is me" }
    const reported = server.api.call("POST", "/client/reports", ada.as, report)
    await expect.poll(waitingFor("%app_users%")).toBe(1)
    await session.run("set local lock_timeout = '500ms'")
    await session.run(`update app_users set external_id = 'ada' where id = '${ada.id}'; commit`)
    await session.end()
    expect((await reported).status).toBe(201)
  })
})
