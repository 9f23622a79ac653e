import { type ReadinessCheck, requireAnswer } from "@hearth/worker"
import { Effect } from "effect"
import { Counter, Registry } from "prom-client"
import { describe, expect, it } from "vitest"
import { as, ask, projectId, sampleApp } from "./sample-app.ts"
import { sampleGroups, sampleRoutes } from "./sample-routes.ts"

describe("health", () => {
  it("is alive", async () => {
    const response = await ask(sampleApp().app, "GET", "/health/live")
    expect([response.status, await response.json()]).toEqual([200, { status: "ok" }])
  })

  const readiness = async (checks: ReadonlyArray<ReadinessCheck>) => {
    const response = await ask(sampleApp({ checks }).app, "GET", "/health/ready")
    const lines = (await response.text())
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    return {
      status: response.status,
      type: response.headers.get("content-type"),
      lines,
      retry: response.headers.get("retry-after"),
    }
  }

  const fine = requireAnswer(Effect.succeed(true))

  it("is ready when every dependency answers", async () => {
    const checks: ReadonlyArray<ReadinessCheck> = [
      { dependency: "control-database", find: fine },
      { dependency: "schemas", find: Effect.succeed({ status: "ok", waiting: 0 }) },
    ]
    expect(await readiness(checks)).toEqual({
      status: 200,
      type: "application/x-ndjson",
      retry: null,
      lines: [
        { dependency: "control-database", status: "ok", ms: expect.any(Number) },
        { dependency: "schemas", status: "ok", ms: expect.any(Number), waiting: 0 },
      ],
    })
  })

  it("is ready while something is degraded: what is late is not lost", async () => {
    const checks: ReadonlyArray<ReadinessCheck> = [
      { dependency: "control-database", find: fine },
      { dependency: "queue", find: requireAnswer(Effect.succeed(false)), otherwise: "degraded" },
      { dependency: "silent", find: Effect.never, otherwise: "degraded", timeoutMillis: 20 },
      { dependency: "schemas", find: Effect.succeed({ status: "degraded", waiting: 3 }) },
    ]
    const { status, lines, retry } = await readiness(checks)
    expect([status, retry]).toEqual([200, null])
    expect(lines.map((line) => line.status)).toEqual(["ok", "degraded", "degraded", "degraded"])
  })

  it("is not ready when one fails, dies or does not answer in time", async () => {
    const checks: ReadonlyArray<ReadinessCheck> = [
      { dependency: "fine", find: fine },
      { dependency: "failing", find: Effect.fail("canary-7c1f") },
      { dependency: "dying", find: Effect.die("canary-7c1f") },
      { dependency: "silent", find: Effect.never, timeoutMillis: 20 },
      { dependency: "degraded", find: Effect.fail("canary-7c1f"), otherwise: "degraded" },
    ]
    const { status, lines, retry } = await readiness(checks)
    expect([status, retry]).toEqual([503, "1"])
    expect(lines.map((line) => line.status)).toEqual(["ok", "failed", "failed", "failed", "degraded"])
    expect(JSON.stringify(lines)).not.toContain("canary")
  })
})

describe("metrics", () => {
  it("count answers by route and status, with unknown paths under one label", async () => {
    const registry = new Registry()
    new Counter({ name: "something_else_total", help: "x", registers: [registry] })
    const { app } = sampleApp({ registry })
    const notes = `/v1/admin/projects/${projectId}/notes`
    await ask(app, "GET", notes, { headers: as.viewer })
    await ask(app, "GET", notes, { headers: as.viewer })
    await ask(app, "GET", notes)
    await ask(app, "PUT", notes)
    await ask(app, "GET", "/v1/one")
    await ask(app, "POST", "/two")
    const response = await ask(app, "GET", "/metrics")
    const text = await response.text()
    const counts = text.split("\n").filter((line) => line.startsWith("hearth_http_requests_total"))
    const route = 'path="/v1/admin/projects/:projectId/notes"'
    expect(counts.sort()).toEqual([
      `hearth_http_requests_total{method="GET",${route},status="200"} 2`,
      `hearth_http_requests_total{method="GET",${route},status="401"} 1`,
      'hearth_http_requests_total{method="any",path="(unknown)",status="404"} 2',
      `hearth_http_requests_total{method="other",${route},status="405"} 1`,
    ])
    expect(text).toContain(`hearth_http_request_duration_seconds_count{method="GET",${route}} 3`)
    expect(text).toContain("something_else_total 0")
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=/)
  })
})

describe("the public keys", () => {
  it("may be kept for five minutes and read by pages of any origin", async () => {
    const response = await ask(sampleApp().app, "GET", "/.well-known/jwks.json")
    expect(await response.json()).toEqual({ keys: [{ kty: "OKP" }] })
    expect(response.headers.get("cache-control")).toBe("public, max-age=300")
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
  })
})

describe("routes", () => {
  it("that answer a page must ask for one", () => {
    const [list] = sampleRoutes.filter(({ options }) => options.returns.paged)
    if (list === undefined) throw new Error("no list")
    const routes = [{ ...list, options: { ...list.options, query: {} } }]
    expect(() => sampleApp({ groups: [{ title: "Notes", description: "Notes.", routes }] })).toThrow(
      "needs limit and offset",
    )
  })

  const again = (changes: object) => {
    const routes = sampleRoutes.slice(0, 1).map((one) => ({ ...one, ...changes }))
    return () => sampleApp({ groups: [...sampleGroups, { title: "Again", description: "Again.", routes }] })
  }

  it("cannot be there twice", () => {
    expect(again({})).toThrow("two routes for POST /admin/projects/:projectId/notes")
  })

  it("cannot have the id of another", () => {
    expect(again({ path: "/admin/notes" })).toThrow("two routes with the id notes.create")
  })
})
