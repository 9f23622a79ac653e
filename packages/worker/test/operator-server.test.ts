import { Counter, Registry } from "prom-client"
import { afterAll, beforeAll, expect, it } from "vitest"
import { startOperatorServer } from "../src/operator-server.ts"

const registry = new Registry()
new Counter({ name: "things_total", help: "Things.", registers: [registry] }).inc(3)
let isUp = true
let server: Awaited<ReturnType<typeof startOperatorServer>>

beforeAll(async () => {
  server = await startOperatorServer(0, registry, [
    { dependency: "queue", answers: async () => isUp },
    {
      dependency: "broken",
      answers: async () => {
        if (!isUp) throw new Error("no")
        return true
      },
    },
  ])
})
afterAll(() => server.close())

const get = async (path: string) => {
  const response = await fetch(`${server.url}${path}`)
  return { status: response.status, text: await response.text() }
}

it("answers /health/live", async () => {
  expect(await get("/health/live")).toEqual({ status: 200, text: '{"status":"ok"}' })
})

it("is ready while every probe answers, with a JSON line for each", async () => {
  const up = await get("/health/ready")
  expect(up.status).toBe(200)
  expect(
    up.text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { dependency: "queue", status: "ok", ms: expect.any(Number) },
    { dependency: "broken", status: "ok", ms: expect.any(Number) },
  ])
  isUp = false
  const down = await get("/health/ready")
  expect(down.status).toBe(503)
  expect(down.text.match(/"status":"failed"/g)).toHaveLength(2)
  isUp = true
})

it("serves the metrics and no other path", async () => {
  expect((await get("/metrics")).text).toContain("things_total 3")
  expect((await get("/metrics/../etc/passwd")).status).toBe(404)
})
