import { hasRedis, type TestRedis } from "@hearth/test-services"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aStreak, aUser, noonZone, streaksOf, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { RunningProcess } from "../harness/process.ts"
import type { Sql } from "../harness/sql.ts"
import { waitingIn } from "./invariants.ts"

// A caller must not wait for the queue. A second is far less than any of the queue's timeouts.
const quickMillis = 1_000

// The processes of one test are those that the next one finds.
describe.skipIf(!hasRedis)("events while the queue cannot be reached", { shuffle: false }, () => {
  const harness = makeHarness()
  let environment: Readonly<Record<string, string>>
  let sql: Sql
  let redis: TestRedis
  let server: TestServer
  let worker: RunningProcess
  let project: TestProject

  beforeAll(async () => {
    const database = await harness.database()
    sql = database.sql
    redis = await harness.redis()
    environment = { ...database.environment, REDIS_URL: redis.url, LOG_LEVEL: "info" }
    server = await harness.server(environment)
    worker = await harness.worker(environment)
    project = await aProject(server.api)
    await aStreak(server.api, project)
  }, 40_000)
  afterAll(harness.clear)

  /** Posts an event of a new user; answers the user's id and how long the call took. */
  const post = async () => {
    const user = await aUser(server.api, project, noonZone().name)
    const before = performance.now()
    await server.api.ok("POST", "/client/events", user.as, { event_name: "lesson_completed" })
    return { id: user.id, millis: performance.now() - before }
  }

  /** Most are: a machine may stall for a moment. */
  const expectQuick = (posted: ReadonlyArray<{ readonly millis: number }>) => {
    const quick = posted.filter(({ millis }) => millis < quickMillis)
    expect(quick.length).toBeGreaterThan(posted.length / 2)
  }

  const countOf = async (userId: string) => (await streaksOf(server.api, project, userId))[0]?.current_count ?? 0
  /** The status of readiness, and what it says about the queue. */
  const readiness = async () => {
    const response = await server.api.root("/health/ready")
    const lines = (await response.text()).trim().split("\n")
    const queue = lines.map((line) => JSON.parse(line)).find(({ dependency }) => dependency === "queue")
    return `${response.status} ${queue?.status}`
  }

  const freeze = () => redis.freeze()
  const thaw = () => redis.thaw()

  it.each([
    ["frozen", freeze, thaw],
    ["gone", () => redis.stop(), () => redis.start()],
  ] as const)("are accepted at once while Redis is %s, and counted when it is back", async (_, away, back) => {
    await away()
    const posted: Array<Awaited<ReturnType<typeof post>>> = []
    for (let n = 0; n < 5; n += 1) posted.push(await post())
    expectQuick(posted)
    expect(await waitingIn(sql, project.id)).toBe(5)
    await expect.poll(readiness).toBe("200 degraded")

    await back()
    await expect.poll(readiness).toBe("200 ok")
    posted.push(await post())
    await expect.poll(() => waitingIn(sql, project.id)).toBe(0)
    for (const { id } of posted) expect(await countOf(id)).toBe(1)
  })

  it("are counted even while Redis is gone, by the poll of a worker that starts without it", async () => {
    await redis.stop()
    const posted = await post()
    expect(await countOf(posted.id)).toBe(0)
    const another = await harness.worker(environment)
    await expect.poll(() => countOf(posted.id)).toBe(1)
    expect(await waitingIn(sql, project.id)).toBe(0)

    await redis.start()
    await expect.poll(readiness).toBe("200 ok")
    const processes = [worker, another, server]
    expect(await Promise.all(processes.map((process) => process.end("SIGTERM")))).toEqual(
      processes.map(() => ({ code: 0, signal: null })),
    )
  })

  it("are accepted by a server that starts without it, which stops in time, too", async () => {
    await redis.stop()
    server = await harness.server(environment)
    expectQuick([await post(), await post(), await post()])
    const before = performance.now()
    expect(await server.end("SIGTERM")).toEqual({ code: 0, signal: null })
    expect(performance.now() - before).toBeLessThan(10_000)
  })
})
