import { spawn } from "node:child_process"
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import type { Workflow } from "@hearth/core"
import { databaseUrl, hasSharedRedis, openSharedRedis } from "@hearth/test-services"
import { Effect, Schema } from "effect"
import { expect, it } from "vitest"
import { openQueue, type QueueOptions } from "../../src/queue/index.ts"
import { someQueueName } from "./harness.ts"

const LOCK_MILLIS = 1_000

const expectTakeover = async (where: QueueOptions) => {
  const options = { ...where, name: someQueueName(), lockMillis: LOCK_MILLIS }
  const queue = await openQueue(options)
  const runs: Array<string> = []
  const endless: Workflow<string> = {
    name: "endless",
    input: Schema.String,
    run: (input) => Effect.sync(() => runs.push(input)),
  }
  const program = new URL("killed-worker.ts", import.meta.url).pathname
  const killed = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ["ignore", "pipe", "inherit"] })
  try {
    await Effect.runPromise(queue.runner.start(endless, "1", "a"))
    const [words] = await once(killed.stdout, "data")
    expect(`${words}`).toBe("began\n")
    await Effect.runPromise(queue.serve([endless], { concurrency: 1 }))
    await setTimeout(2 * LOCK_MILLIS)
    expect(runs).toEqual([])
    // Started during the run: this follow-up must survive the worker too.
    await Effect.runPromise(queue.runner.start(endless, "1", "b"))
  } finally {
    killed.kill("SIGKILL")
    await once(killed, "exit")
  }
  const deadline = performance.now() + 5 * LOCK_MILLIS
  while (runs.length < 2 && performance.now() < deadline) await setTimeout(20)
  expect(runs).toEqual(["a", "b"])
  await Effect.runPromise(queue.close())
}

const OPTIONS = { concurrent: true }

it("takes over the run of a killed worker on PostgreSQL", OPTIONS, () => expectTakeover({ databaseUrl: databaseUrl() }))

it.skipIf(!hasSharedRedis)("takes over the run of a killed worker on Redis", OPTIONS, async () => {
  const redis = await openSharedRedis()
  await expectTakeover({ redisUrl: redis.url }).finally(redis.close)
})
