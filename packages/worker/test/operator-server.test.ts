import { Effect } from "effect"
import { Counter, Registry } from "prom-client"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startOperatorServer } from "../src/operator-server.ts"
import { requireAnswer } from "../src/readiness.ts"

const registry = new Registry()
new Counter({ name: "things_total", help: "Things.", registers: [registry] }).inc(3)
let isUp = true
let isQueueUp = true
let server: Awaited<ReturnType<typeof startOperatorServer>>

beforeAll(async () => {
  server = await startOperatorServer({ host: "127.0.0.1", port: 0 }, registry, [
    { dependency: "control-database", find: requireAnswer(Effect.sync(() => isUp)) },
    { dependency: "queue", find: requireAnswer(Effect.sync(() => isQueueUp)), otherwise: "degraded" },
  ])
})
afterAll(() => server.close())

const get = async (path: string) => {
  const response = await fetch(`${server.url}${path}`)
  return { status: response.status, text: await response.text() }
}

it("says in the sentence of a server that its port is taken", async () => {
  const port = Number(new URL(server.url).port)
  const second = startOperatorServer({ host: "127.0.0.1", port }, registry, [])
  await expect(second).rejects.toThrow(`Cannot listen on 127.0.0.1:${port}: another process listens there.`)
})

it("answers /health/live", async () => {
  expect(await get("/health/live")).toEqual({ status: 200, text: '{"status":"ok"}' })
})

const getReadiness = async () => {
  const { status, text } = await get("/health/ready")
  const lines = text.trim().split("\n")
  return { status, lines: lines.map((line) => JSON.parse(line)) }
}
const line = (dependency: string, status: string) => ({ dependency, status, ms: expect.any(Number) })

it("is ready while every check is ok, with a JSON line for each", async () => {
  const lines = [line("control-database", "ok"), line("queue", "ok")]
  expect(await getReadiness()).toEqual({ status: 200, lines })
})

it("is ready while the queue is away: nothing is lost", async () => {
  isQueueUp = false
  const lines = [line("control-database", "ok"), line("queue", "degraded")]
  expect(await getReadiness()).toEqual({ status: 200, lines })
  isQueueUp = true
})

it("is not ready while the control database is away", async () => {
  isUp = false
  const lines = [line("control-database", "failed"), line("queue", "ok")]
  expect(await getReadiness()).toEqual({ status: 503, lines })
  expect((await fetch(`${server.url}/health/ready`)).headers.get("retry-after")).toBe("1")
  isUp = true
})

it("serves the metrics and no other path", async () => {
  expect((await get("/metrics")).text).toContain("things_total 3")
  expect((await get("/metrics/../etc/passwd")).status).toBe(404)
})
