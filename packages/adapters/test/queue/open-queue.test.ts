import { randomUUID } from "node:crypto"
import { setTimeout } from "node:timers/promises"
import type { Workflow } from "@hearth/core"
import { databaseUrl, hasRedis, startRedis } from "@hearth/test-services"
import { Effect, Schema } from "effect"
import { Redis } from "ioredis"
import { Client } from "pg"
import { expect, it, vi } from "vitest"
import { type OpenQueue, openQueue } from "../../src/queue/index.ts"
import { someQueueName } from "./harness.ts"

// Concurrent, because the tests mostly wait.
const OPTIONS = { concurrent: true }

const echo = () => {
  const ran: Array<string> = []
  const workflow: Workflow<string> = {
    name: "echo",
    input: Schema.String,
    run: (input) => Effect.sync(() => ran.push(input)),
  }
  return { ran, workflow }
}
const eventually = (what: string, holds: () => boolean) =>
  vi.waitFor(() => expect(holds(), what).toBe(true), { timeout: 45_000 })
const recordLog = () => {
  const lines: Array<{ message: string } & Readonly<Record<string, unknown>>> = []
  return {
    lines,
    log: (message: string, facts: Readonly<Record<string, unknown>>) => void lines.push({ message, ...facts }),
  }
}
const close = (queue: OpenQueue) => Effect.runPromise(queue.close())

it.skipIf(!hasRedis)("warns of a Redis that may evict jobs, and of no other", OPTIONS, async () => {
  const redis = await startRedis()
  const redisUrl = redis?.url ?? ""
  const admin = new Redis(redisUrl)
  const { lines, log } = recordLog()
  await close(await openQueue({ redisUrl, name: someQueueName() }, log))
  expect(lines).toEqual([])
  await admin.config("SET", "maxmemory-policy", "allkeys-lru")
  const queue = await openQueue({ redisUrl, name: someQueueName() }, log)
  await eventually("the warning", () => lines.some(({ policy }) => policy === "allkeys-lru"))
  await close(queue)
  admin.disconnect()
  await redis?.stop()
})

it("looks for runs of killed workers again after a clock was ahead", OPTIONS, async () => {
  const name = someQueueName()
  const queue = await openQueue({ databaseUrl: databaseUrl(), name })
  const admin = new Client(databaseUrl())
  await admin.connect()
  const tomorrow = Date.now() + 86_400_000
  await admin.query("insert into bullmq.meta (queue, field, value) values ($1, 'stalled-check', $2)", [name, tomorrow])
  await Effect.runPromise(queue.serve([echo().workflow], { concurrency: 1 }))
  const find = "select value::float8 as at from bullmq.meta where queue = $1 and field = 'stalled-check'"
  await vi.waitFor(
    async () => expect((await admin.query(find, [name])).rows.filter(({ at }) => at >= tomorrow)).toEqual([]),
    { timeout: 45_000 },
  )
  await admin.end()
  await close(queue)
})

it("creates its tables again when they are missing, for producers and workers", OPTIONS, async () => {
  const database = `queue_${randomUUID().replaceAll("-", "")}`
  const server = new Client(databaseUrl())
  await server.connect()
  await server.query(`create database ${database}`)
  const url = Object.assign(new URL(databaseUrl()), { pathname: `/${database}` }).href
  const queue = await openQueue({ databaseUrl: url })
  const { ran, workflow } = echo()
  await Effect.runPromise(queue.serve([workflow], { concurrency: 1 }))
  await Effect.runPromise(queue.runner.start(workflow, "1", "a"))
  await eventually("the first run", () => ran.includes("a"))

  const admin = new Client(url)
  await admin.connect()
  // The worker locks its tables in another order, and one of the two has to begin again.
  await vi.waitFor(() => admin.query("drop schema bullmq cascade"), { timeout: 45_000 })
  await admin.end()
  await Effect.runPromise(queue.runner.start(workflow, "1", "b"))
  await eventually("the second run", () => ran.includes("b"))
  await close(queue)
  await server.query(`drop database ${database} with (force)`)
  await server.end()
})

it("logs runs that died, invalid inputs and unknown workflows", OPTIONS, async () => {
  const { lines, log } = recordLog()
  const queue = await openQueue({ databaseUrl: databaseUrl(), name: someQueueName(), backoffMillis: 50 }, log)
  const { ran, workflow } = echo()
  const number: Workflow<number> = { name: "echo", input: Schema.Number, run: () => Effect.void }
  const broken: Workflow<string> = { name: "broken", input: Schema.String, run: () => Effect.die(new Error("no luck")) }
  const unknown = { ...broken, name: "unknown" }
  await Effect.runPromise(queue.runner.start(number, "1", 1))
  await Effect.runPromise(queue.runner.start(broken, "2", "x"))
  await Effect.runPromise(queue.runner.start(unknown, "3", "x"))
  const before = await Effect.runPromise(queue.serve([workflow, broken], { concurrency: 1 }))
  const again = () => new Set(lines.filter(({ tries }) => Number(tries) >= 2).map(({ id }) => id))
  await eventually("second tries", () => again().size === 2)
  expect(lines).toContainEqual(
    expect.objectContaining({
      message: "A run died.",
      workflow: "broken",
      id: "2",
      tries: 1,
      error: expect.stringContaining("no luck"),
    }),
  )
  expect(lines.filter(({ id }) => id === "1")).toMatchObject([
    { message: expect.stringContaining("given up"), workflow: "echo" },
  ])
  expect(lines.filter(({ id }) => id === "3").length).toBeGreaterThanOrEqual(2)
  // A worker that serves the workflow runs it at its next try. The one before would take tries and leave them.
  await Effect.runPromise(before.drain())
  const later = { ...workflow, name: "unknown" }
  await Effect.runPromise(queue.serve([later, workflow, broken], { concurrency: 1 }))
  await eventually("the run of the unknown workflow", () => ran.includes("x"))
  await close(queue)
})

it("starts no run before `serve`", OPTIONS, async () => {
  const options = { databaseUrl: databaseUrl(), name: someQueueName() }
  const producer = await openQueue(options)
  const { ran, workflow } = echo()
  await Effect.runPromise(producer.runner.start(workflow, "1", "a"))
  await setTimeout(300)
  expect(ran).toEqual([])
  const worker = await openQueue(options)
  await Effect.runPromise(worker.serve([workflow], { concurrency: 1 }))
  await eventually("the run", () => ran.includes("a"))
  await Promise.all([close(producer), close(worker)])
})
