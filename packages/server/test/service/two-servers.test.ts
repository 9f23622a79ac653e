import { hasRedis } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aStreak, aUser, daysAgo, noonZone, streaksOf, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { RunningProcess } from "../harness/process.ts"
import type { Sql } from "../harness/sql.ts"

const users = 20
const days = 6

describe.skipIf(!hasRedis)("two servers and two workers on Redis", () => {
  const harness = makeHarness()
  const zone = noonZone().name
  let environment: Readonly<Record<string, string>>
  let sql: Sql
  let servers: ReadonlyArray<TestServer>
  const workers: Array<RunningProcess> = []

  beforeAll(async () => {
    const [database, redis] = [await harness.database(), await harness.redis()]
    sql = database.sql
    environment = { ...database.environment, REDIS_URL: redis.url, LOG_LEVEL: "info" }
    servers = [await harness.server(environment), await harness.server(environment)]
  })
  afterAll(harness.clear)

  const server = (n: number): TestServer => {
    const found = servers[n % servers.length]
    if (found === undefined) throw new Error("There are no servers.")
    return found
  }

  const aWorker = async () => {
    const worker = await harness.worker(environment)
    workers.push(worker)
    return worker
  }
  const endWorkers = () => Promise.all(workers.map((worker) => worker.end("SIGTERM")))
  const expectNoWarnings = () => {
    const levels = [...servers, ...workers].map(({ errors }) => /"level":"(?:warn|error)".*/.exec(errors())?.[0])
    expect(levels.filter((line) => line !== undefined)).toEqual([])
  }

  /** The number of events, and of entries of the outbox that wait. */
  const figures = async (project: TestProject) => {
    const [found] = await sql.rows<{ events: number; waiting: number }>(
      project.id,
      "select (select count(*)::int from engagement_events) as events, (select count(*)::int from outbox) as waiting",
    )
    return found
  }

  it("accepts on one server the tokens, keys and users of the other", async () => {
    const project = await aProject(server(0).api)
    const user = await aUser(server(0).api, project)
    expect(await server(1).api.ok("GET", "/client/users/me", user.as)).toMatchObject({ id: user.id })
    expect(await server(1).api.ok("GET", project.admin, project.owner.as)).toMatchObject({ id: project.id })
  })

  it("counts rate limits over both servers", async () => {
    const address = { "x-forwarded-for": "192.0.2.1" }
    const statuses: Array<number> = []
    for (let n = 0; n < 7; n += 1)
      statuses.push((await server(n).api.call("POST", "/auth/developer/signup", address, {})).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 429, 429])
  })

  it("handles every event once while one worker is stopped and the other killed", async () => {
    const [stopped, killed] = [await aWorker(), await aWorker()]
    const project = await aProject(server(0).api)
    const definition = await aStreak(server(0).api, project, { freeze_enabled: true, max_freezes: 2 })
    const people = await Promise.all(Array.from({ length: users }, (_, n) => aUser(server(n).api, project, zone)))
    const post = (day: number) =>
      Promise.all(
        people.map((user, n) => {
          const event = { app_user_id: user.id, event_name: "lesson_completed", occurred_at: daysAgo(day) }
          const event_id = `${user.id}/${day}`
          return server(n).api.ok("POST", `${project.admin}/events`, project.owner.as, { ...event, event_id })
        }),
      )

    for (let day = days - 1; day >= 0; day -= 1) {
      const posting = post(day)
      if (day === 4) expect(await stopped.end("SIGTERM")).toEqual({ code: 0, signal: null })
      if (day === 2) {
        await killed.end("SIGKILL")
        await aWorker()
      }
      await posting
    }

    // The queue gives a killed worker's job to another within half a minute, or a poll finds the project.
    await expect.poll(() => figures(project), { interval: 100 }).toEqual({ events: users * days, waiting: 0 })
    const streaks = await Promise.all(people.map((user, n) => streaksOf(server(n).api, project, user.id)))
    const expected = { streak_definition_id: definition, current_count: days, longest_count: days }
    expect(streaks).toMatchObject(people.map(() => [{ ...expected, freezes_remaining: 2, status: "active" }]))
    const steps = "select app_user_id, count(*)::int as done from streak_events where kind = 'done' group by 1"
    expect((await sql.rows(project.id, steps)).map(({ done }) => done)).toEqual(people.map(() => days))
    expect(stopped.errors()).toContain('"worker stopped"')
    expectNoWarnings()
  })

  it("leaves work to the workers: without one, events wait, and are handled when one comes", async () => {
    await endWorkers()
    const project = await aProject(server(0).api)
    await aStreak(server(0).api, project)
    const user = await aUser(server(0).api, project, zone)
    await server(0).api.ok("POST", "/client/events", user.as, { event_name: "lesson_completed" })
    expect(await figures(project)).toMatchObject({ waiting: 1 })
    expect(await streaksOf(server(1).api, project, user.id)).toEqual([])
    await aWorker()
    await expect.poll(() => figures(project)).toMatchObject({ waiting: 0 })
    expect(await streaksOf(server(1).api, project, user.id)).toMatchObject([{ current_count: 1 }])
    expectNoWarnings()
  })

  it("exits with 0 after its work, and logs no warning", async () => {
    const third = await harness.server(environment)
    const user = await aUser(third.api, await aProject(third.api))
    await third.api.ok("POST", "/client/events", user.as, { event_name: "lesson_completed" })
    expect(await third.end("SIGTERM")).toEqual({ code: 0, signal: null })
    expect(third.errors()).not.toMatch(/"level":"(?:warn|error)"/)
  })
})
