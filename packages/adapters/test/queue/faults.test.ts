import { setTimeout } from "node:timers/promises"
import { QueueUnavailable, type Workflow } from "@hearth/core"
import { hasRedis } from "@hearth/test-services"
import { Effect, Schema } from "effect"
import { describe, expect, it, type TestContext, vi } from "vitest"
import { type OpenQueue, openQueue } from "../../src/queue/index.ts"
import { type Backend, postgresBackend, redisBackend } from "./backends.ts"
import { someQueueName } from "./harness.ts"

const BACKENDS = [
  { name: "Redis", make: redisBackend, skip: !hasRedis },
  { name: "PostgreSQL", make: () => postgresBackend(), skip: false },
]
const DAILY = { cron: "0 0 * * *", timezone: "UTC" }

/** A workflow whose first run in a test waits for `release`. */
const blockingWorkflow = () => {
  const began: Array<string> = []
  const gate = Promise.withResolvers<void>()
  const workflow: Workflow<string> = {
    name: "blocking",
    input: Schema.String,
    run: (input) =>
      Effect.promise(async () => {
        began.push(input)
        if (input === "slow") await gate.promise
      }),
  }
  return { workflow, began, release: () => gate.resolve() }
}

const { workflow } = blockingWorkflow()
const calls: Record<string, (queue: OpenQueue) => Effect.Effect<unknown, QueueUnavailable>> = {
  start: ({ runner }) => runner.start(workflow, "1", "a"),
  terminate: ({ runner }) => runner.terminate(workflow, "1"),
  schedule: ({ runner }) => runner.schedule(workflow, "1", DAILY, "a"),
  unschedule: ({ runner }) => runner.unschedule(workflow, "1"),
  backlog: ({ runner }) => runner.backlog(),
}

const expectRefusalInTime = (queue: OpenQueue) =>
  Promise.all(
    Object.entries(calls).map(async ([name, call]) => {
      const asked = performance.now()
      expect(await Effect.runPromise(Effect.flip(call(queue))), name).toBeInstanceOf(QueueUnavailable)
      expect(performance.now() - asked, name).toBeLessThan(5_000)
      expect(await Effect.runPromise(queue.ping())).toBe(false)
    }),
  )

const eventually = (what: string, holds: () => boolean | Promise<boolean>) =>
  vi.waitFor(async () => expect(await holds(), what).toBe(true), { timeout: 45_000 })
const startEventually = (queue: OpenQueue, workflow: Workflow<string>, input: string) =>
  eventually(`a start of ${input}`, () =>
    Effect.runPromise(
      queue.runner.start(workflow, input, input).pipe(Effect.match({ onSuccess: () => true, onFailure: () => false })),
    ),
  )

const testOutages = (make: () => Promise<Backend>) => {
  const setUp = async (backend: Backend, { onTestFinished }: TestContext) => {
    const queue = await openQueue({ ...backend.options, name: someQueueName(), lockMillis: 4_000 })
    onTestFinished(async () => {
      await Effect.runPromise(queue.close())
      await backend.down()
    })
    const recorded = blockingWorkflow()
    const serve = () => Effect.runPromise(queue.serve([recorded.workflow], { concurrency: 2 }))
    return { queue, recorded, serve }
  }

  it("fails before its backend runs, and works once it does", async (test) => {
    const backend = await make()
    const opening = performance.now()
    const { queue, recorded, serve } = await setUp(backend, test)
    expect(performance.now() - opening).toBeLessThan(6_000)
    await serve()
    await expectRefusalInTime(queue)
    await backend.up()
    await startEventually(queue, recorded.workflow, "a")
    await eventually("the run", () => recorded.began.includes("a"))
    expect(await Effect.runPromise(queue.ping())).toBe(true)
  })

  it("fails while its backend is down, and works when it is back", async (test) => {
    const backend = await make()
    await backend.up()
    const { queue, recorded, serve } = await setUp(backend, test)
    await serve()
    await startEventually(queue, recorded.workflow, "a")
    await eventually("the first run", () => recorded.began.includes("a"))
    await backend.down()
    await expectRefusalInTime(queue)
    await backend.up()
    await startEventually(queue, recorded.workflow, "b")
    await eventually("the second run", () => recorded.began.includes("b"))
  })

  it("fails while its backend is frozen, and works when it is not", async (test) => {
    const backend = await make()
    await backend.up()
    const { queue, recorded, serve } = await setUp(backend, test)
    await serve()
    await startEventually(queue, recorded.workflow, "a")
    await eventually("the first run", () => recorded.began.includes("a"))
    await backend.freeze()
    await expectRefusalInTime(queue)
    await backend.thaw()
    await startEventually(queue, recorded.workflow, "b")
    await eventually("the second run", () => recorded.began.includes("b"))
  })

  it("drains a worker in time although the result of its run cannot be stored", async (test) => {
    const backend = await make()
    await backend.up()
    const { queue, recorded, serve } = await setUp(backend, test)
    const served = await serve()
    await startEventually(queue, recorded.workflow, "slow")
    await eventually("the run", () => recorded.began.includes("slow"))
    await backend.down()
    let drained = false
    const draining = Effect.runPromise(served.drain()).then(() => {
      drained = true
    })
    await setTimeout(300)
    expect(drained).toBe(false)
    recorded.release()
    await draining
  })

  it("can be closed when its backend never ran", async (test) => {
    const { queue, serve } = await setUp(await make(), test)
    await serve()
    await Effect.runPromise(queue.close())
  })
}

for (const { name, make, skip } of BACKENDS)
  describe.skipIf(skip)(`a queue without its ${name}`, { concurrent: true }, () => testOutages(make))
