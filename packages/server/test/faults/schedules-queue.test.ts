import { type OpenQueue, openQueue } from "@hearth/adapters"
import { hasRedis, type TestRedis } from "@hearth/test-services"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

interface Row {
  readonly id: string
}

// Two seconds until the queue is given up [E10], and the rest of the call on a busy machine.
const quickMillis = 5_000

describe.skipIf(!hasRedis)("content schedules while the queue cannot be reached", () => {
  const harness = makeHarness()
  let redis: TestRedis
  let server: TestServer
  let environment: Readonly<Record<string, string>>
  let project: TestProject
  let library: string

  beforeAll(async () => {
    redis = await harness.redis()
    environment = { ...(await harness.database()).environment, REDIS_URL: redis.url }
    server = await harness.server(environment)
    project = await aProject(server.api)
    library = (await admin("POST", "libraries", { name: "Library" })).data.id
  })
  afterAll(harness.clear)

  const admin = (method: string, path: string, body?: object) =>
    server.api.call<Row>(method, `${project.admin}/content/${path}`, project.owner.as, body)
  const given = () => ({ library_id: library, name: "Daily", schedule_type: "daily_rotation" })
  const list = async () => (await server.api.call("GET", `${project.admin}/content/schedules`, project.owner.as)).text
  /** What the queue has of a schedule. */
  const nextTick = async (id: string) => {
    const queue: OpenQueue = await openQueue({ redisUrl: redis.url })
    const delivery = { name: "content-delivery" } as Parameters<OpenQueue["nextTick"]>[0]
    const tick = await Effect.runPromise(queue.nextTick(delivery, `${project.id}/${id}`))
    await Effect.runPromise(queue.close())
    return tick
  }

  it.each([
    ["frozen", () => redis.freeze(), () => redis.thaw()],
    ["gone", () => redis.stop(), () => redis.start()],
  ] as const)(
    "are neither made, changed nor removed while Redis is %s, and the answer is quick [E10]",
    async (_, away, back) => {
      const { id } = (await admin("POST", "schedules", given())).data
      const before = await list()
      await away()
      const calls = [
        ["POST", "schedules", given(), "500 CREATE_FAILED"],
        ["PATCH", `schedules/${id}`, { config: { cron: "0 7 * * *" } }, "502 SCHEDULE_UPDATE_FAILED"],
        ["PATCH", `schedules/${id}`, { is_active: false }, "502 SCHEDULE_UPDATE_FAILED"],
        ["DELETE", `schedules/${id}`, undefined, "502 SCHEDULE_DELETE_FAILED"],
        ["DELETE", `libraries/${library}`, undefined, "502 SCHEDULE_DELETE_FAILED"],
      ] as const
      for (const [method, path, body, answer] of calls) {
        const began = performance.now()
        const { status, code } = await admin(method, path, body)
        expect(`${status} ${code}`).toBe(answer)
        expect(performance.now() - began).toBeLessThan(quickMillis)
        expect(await list()).toBe(before)
      }
      expect(await admin("PATCH", `schedules/${id}`, { name: "Named" })).toMatchObject({ status: 200 })
      await back()
      await expect.poll(async () => (await admin("DELETE", `schedules/${id}`)).status).toBe(200)
      expect(await list()).toContain('"total":0')
    },
  )

  it("come back within a minute from a Redis that has lost everything [E10]", async () => {
    const on = (await admin("POST", "schedules", given())).data.id
    const off = (await admin("POST", "schedules", given())).data.id
    await admin("PATCH", `schedules/${off}`, { is_active: false })
    expect(await nextTick(on)).not.toBeNull()
    await redis.stop()
    await redis.start()
    expect(await nextTick(on)).toBeNull()
    const worker = await harness.worker(environment)
    await expect.poll(() => nextTick(on), { timeout: 60_000, interval: 500 }).not.toBeNull()
    expect(await nextTick(off)).toBeNull()
    await worker.end("SIGTERM")
  })
})
