import type { Recurrence, Workflow } from "@hearth/core"
import { nextTick } from "@hearth/core"
import { databaseUrl, hasSharedRedis, openSharedRedis } from "@hearth/test-services"
import { Effect, Schema } from "effect"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { type OpenQueue, openQueue, type QueueOptions } from "../../src/queue/index.ts"
import { someQueueName } from "./harness.ts"

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
    const queue = await openQueue({ ...where(), name: someQueueName(), answerMillis: 15_000 })
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
})

describe.skipIf(!hasSharedRedis)("after a clock was ahead, a queue on Redis", () => {
  let redis: Awaited<ReturnType<typeof openSharedRedis>>
  beforeAll(async () => {
    redis = await openSharedRedis()
  })
  afterAll(() => redis.close())
  schedules(() => ({ redisUrl: redis.url }))
})
