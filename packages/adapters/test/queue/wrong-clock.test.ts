import type { Recurrence, Workflow } from "@hearth/core"
import { nextTick } from "@hearth/core"
import { databaseUrl, hasSharedRedis, openSharedRedis } from "@hearth/test-services"
import { Effect, Schema } from "effect"
import { Client } from "pg"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import type { OpenQueue, QueueOptions } from "../../src/queue/index.ts"
import { openPatientQueue, someQueueName } from "./harness.ts"

const dayMillis = 86_400_000
const daily: Recurrence = { cron: "0 9 * * *", timezone: "Europe/Berlin" }
const everySecond: Recurrence = { cron: "* * * * * *", timezone: "UTC" }

const echo = () => {
  const ran: Array<string> = []
  const workflow: Workflow<string> = {
    name: "echo",
    input: Schema.String,
    run: (input) => Effect.sync(() => ran.push(input)),
  }
  return { ran, workflow }
}

/** Does something as a process does whose clock is ahead; timers are those of the machine. */
const threeDaysAhead = async (work: () => Promise<unknown>) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * dayMillis })
  await work().finally(() => vi.useRealTimers())
}
afterEach(() => void vi.useRealTimers())

const schedules = (where: () => QueueOptions) => {
  const use = async (work: (queue: OpenQueue) => Promise<void>) => {
    const queue = await openPatientQueue({ ...where(), name: someQueueName() })
    await work(queue).finally(() => Effect.runPromise(queue.close()))
  }

  it("sets a schedule right whose next tick is past others that are to come", () =>
    use(async (queue) => {
      const { workflow } = echo()
      const schedule = () => Effect.runPromise(queue.runner.schedule(workflow, "s", daily, "tick"))
      const next = () => Effect.runPromise(queue.nextTick(workflow, "s"))
      await threeDaysAhead(schedule)
      expect((await next())?.getTime()).toBeGreaterThan(Date.now() + 2.5 * dayMillis)
      await schedule()
      expect(await next()).toEqual(nextTick(daily, new Date()))
    }))

  it("fires from then on", () =>
    use(async (queue) => {
      const { ran, workflow } = echo()
      await threeDaysAhead(() => Effect.runPromise(queue.runner.schedule(workflow, "s", everySecond, "tick")))
      await Effect.runPromise(queue.serve([workflow], { concurrency: 1 }))
      await Effect.runPromise(queue.runner.schedule(workflow, "s", everySecond, "tick"))
      await vi.waitFor(() => expect(ran.length).toBeGreaterThan(1), { timeout: 30_000 })
    }))
}

describe("after a clock was ahead, a queue on PostgreSQL", () => {
  schedules(() => ({ databaseUrl: databaseUrl() }))

  const admin = new Client(databaseUrl())
  beforeAll(() => admin.connect())
  afterAll(() => admin.end())

  const put = async (work: (queue: OpenQueue, name: string) => Promise<void>) => {
    const name = someQueueName()
    const queue = await openPatientQueue({ databaseUrl: databaseUrl(), name, lockMillis: 1_000 })
    await work(queue, name).finally(() => Effect.runPromise(queue.close()))
  }
  const from = (millis: number) => new Date(Date.now() + millis)

  it("runs what was put off for a moment, and keeps what is planned", () =>
    put(async (queue, name) => {
      const { ran, workflow } = echo()
      const start = (id: string, millis: number) =>
        Effect.runPromise(queue.runner.start(workflow, id, id, { at: from(millis) }))
      await threeDaysAhead(() => Promise.all([start("soon", 500), start("later", 3_600_000)]))
      await start("soon", 0)
      await start("planned", 30 * dayMillis)
      await Effect.runPromise(queue.serve([workflow], { concurrency: 1 }))
      await vi.waitFor(() => expect(ran).toEqual(["soon"]), { timeout: 30_000 })
      const rows = await vi.waitFor(async () => {
        const left = await admin.query(
          "select data->>'id' as id, process_at_ms::float8 as at from bullmq.job where queue = $1 order by at",
          [name],
        )
        // What has run is removed a moment after.
        expect(left.rows.map(({ id }) => id)).toEqual(["later", "planned"])
        return left.rows
      })
      const [later, planned] = rows.map(({ at }) => (at - Date.now()) / 60_000)
      expect(later).toBeGreaterThan(58)
      expect(later).toBeLessThanOrEqual(60)
      expect(planned).toBeGreaterThan(29.9 * 24 * 60)
    }))

  it("tries again what has died", () =>
    put(async (queue, name) => {
      const { ran, workflow } = echo()
      await Effect.runPromise(queue.runner.start(workflow, "a", "a", { at: from(60_000) }))
      await admin.query(
        "update bullmq.job set attempts_made = 1, process_at_ms = process_at_ms + $2::bigint where queue = $1",
        [name, 3 * dayMillis],
      )
      await Effect.runPromise(queue.serve([workflow], { concurrency: 1 }))
      await vi.waitFor(() => expect(ran).toEqual(["a"]), { timeout: 30_000 })
    }))

  it("takes over what a killed worker had", () =>
    put(async (queue, name) => {
      const { ran, workflow } = echo()
      await Effect.runPromise(queue.runner.start(workflow, "a", "a"))
      await admin.query(
        "update bullmq.job set state = 'active', lock_token = 'gone', locked_until_ms = $2::bigint where queue = $1",
        [name, Date.now() + 3 * dayMillis],
      )
      await Effect.runPromise(queue.serve([workflow], { concurrency: 1 }))
      await vi.waitFor(() => expect(ran).toEqual(["a"]), { timeout: 30_000 })
    }))
})

describe.skipIf(!hasSharedRedis)("after a clock was ahead, a queue on Redis", () => {
  let redis: Awaited<ReturnType<typeof openSharedRedis>>
  beforeAll(async () => {
    redis = await openSharedRedis()
  })
  afterAll(() => redis.close())
  schedules(() => ({ redisUrl: redis.url }))
})
