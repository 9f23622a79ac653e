import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aStreak, aUser, noonZone, streaksOf, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { databaseOf } from "../harness/sql.ts"

// Its tests are the steps of one story.
describe("a project whose database is gone", { shuffle: false }, () => {
  const harness = makeHarness()
  const environment = { DATA_DIR: harness.folder() }
  const sql = sqlIn(environment.DATA_DIR)
  let server: TestServer
  let lost: TestProject
  let lostUser: TestUser
  let other: TestProject

  beforeAll(async () => {
    server = await harness.server(environment)
    lost = await aProject(server.api)
    other = await aProject(server.api, lost.owner)
    lostUser = await aUser(server.api, lost)
    await aStreak(server.api, other)
    // Pending work, so that a poll fails on this project. It must go on with the others.
    await server.api.ok("POST", "/client/events", lostUser.as, { event_name: "lesson_completed" })
    await sql.rows("postgres", `drop database ${databaseOf(lost.id)} with (force)`)
  })
  afterAll(harness.clear)

  const refusals = async () => {
    const { api } = server
    const event = { app_user_id: lostUser.id, event_name: "lesson_completed" }
    const answers = [
      await api.call("GET", `${lost.admin}/users/${lostUser.id}`, lost.owner.as),
      await api.call("GET", `${lost.admin}/streaks`, lost.owner.as),
      await api.call("POST", `${lost.admin}/streaks`, lost.owner.as, { name: "A", qualifying_event: "a" }),
      await api.call("POST", `${lost.admin}/events`, lost.owner.as, event),
      await api.call("POST", "/client/auth/anonymous", lost.app),
      await api.call("GET", "/client/users/me", lostUser.as),
      await api.call("POST", "/client/events", lostUser.as, { event_name: "lesson_completed" }),
      await api.call("GET", "/client/streaks", lostUser.as),
    ]
    return [...new Set(answers.map(({ status, code }) => `${status} ${code}`))]
  }

  const expectTheOtherToWork = async () => {
    const user = await aUser(server.api, other, noonZone().name)
    await server.api.ok("POST", "/client/events", user.as, { event_name: "lesson_completed" })
    const streaks = () => streaksOf(server.api, other, user.id)
    await expect.poll(streaks).toMatchObject([{ current_count: 1 }])
    expect((await server.api.root("/health/ready")).status).toBe(200)
  }

  it("answers 502 on its routes, while other projects work", async () => {
    expect(await refusals()).toEqual(["502 TENANT_UNAVAILABLE"])
    await expectTheOtherToWork()
    expect(await server.api.ok("GET", lost.admin, lost.owner.as)).toMatchObject({ id: lost.id })
  })

  it("is not created again by requests", async () => {
    const found = await sql.rows("postgres", "select 1 from pg_database where datname = $1", [databaseOf(lost.id)])
    expect(found).toEqual([])
  })

  it("is still refused after a restart, and the others work", async () => {
    expect(await server.end("SIGKILL")).toEqual({ code: null, signal: "SIGKILL" })
    server = await harness.server(environment)
    await expectTheOtherToWork()
    expect(await refusals()).toEqual(["502 TENANT_UNAVAILABLE"])
  })

  it("is refused with an empty database of its name, too", async () => {
    await sql.rows("postgres", `create database ${databaseOf(lost.id)}`)
    expect(await refusals()).toEqual(["502 TENANT_UNAVAILABLE"])
    await expectTheOtherToWork()
  })

  it("can still be deleted", async () => {
    expect(await server.api.ok("DELETE", lost.admin, lost.owner.as)).toEqual({ deleted: true })
    const listed = await server.api.ok<ReadonlyArray<{ id: string }>>("GET", "/admin/projects", lost.owner.as)
    expect(listed.map(({ id }) => id)).toEqual([other.id])
  })
})
