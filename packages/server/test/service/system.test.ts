import { Validator } from "@seriousme/openapi-schema-validator"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { routes } from "../../src/routes/index.ts"
import { aProject, aStreak, aUser, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

/** The value of a metric, summed over its lines. */
const readMetric = (metrics: string, name: string): number =>
  [...metrics.matchAll(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, "gm"))]
    .map(([, value]) => Number(value))
    .reduce((sum, value) => sum + value, 0)

const decodeBytes = (text = ""): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, "base64url"))
const decodeJson = (text = ""): Record<string, unknown> => JSON.parse(Buffer.from(text, "base64url").toString())

describe("the system routes", () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let user: TestUser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    user = await aUser(server.api, project)
  })
  afterAll(harness.clear)

  const metrics = async () => (await server.api.root("/metrics")).text()

  it("are live and ready", async () => {
    const live = await server.api.root("/health/live")
    expect([live.status, await live.json()]).toEqual([200, { status: "ok" }])
    const ready = await server.api.root("/health/ready")
    const reports = (await ready.text())
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(ready.status).toBe(200)
    expect(reports).toMatchObject([
      { dependency: "control-database", status: "ok" },
      { dependency: "notifications", status: "ok" },
      { dependency: "queue", status: "ok" },
      { dependency: "project-databases", status: "ok" },
    ])
  })

  it("serve the reference with its bundle from this server", async () => {
    const html = await (await server.api.root("/docs")).text()
    const [, path = ""] = /<script src="(\/docs\/[^"]+)"/.exec(html) ?? []
    const bundle = await server.api.root(path)
    expect([bundle.status, bundle.headers.get("content-encoding")]).toEqual([200, "gzip"])
    expect((await bundle.text()).length).toBeGreaterThan(1_000_000)
  })

  it("describe every route in a valid OpenAPI document", async () => {
    const document = JSON.parse(await (await server.api.root("/openapi.json")).text())
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect([valid, errors ?? []]).toEqual([true, []])
    const described = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`),
    )
    expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it("count requests and reactions in the metrics", async () => {
    const before = await metrics()
    await aStreak(server.api, project)
    await server.api.ok("POST", "/client/events", user.as, {
      events: Array(3).fill({ event_name: "lesson_completed" }),
    })
    await expect
      .poll(async () => readMetric(await metrics(), "hearth_events_reacted_total"))
      .toBe(readMetric(before, "hearth_events_reacted_total") + 3)
    const after = await metrics()
    for (const name of [
      "hearth_http_request_duration_seconds_count",
      "hearth_reaction_lag_seconds_count",
      "hearth_signals_total",
      "hearth_database_connections",
      "process_cpu_seconds_total",
    ])
      expect([name, readMetric(after, name) > 0]).toEqual([name, true])
    for (const name of ["hearth_queue_waiting", "hearth_queue_oldest_seconds"])
      expect([name, readMetric(after, name)]).toEqual([name, 0])
    expect(after).toContain('hearth_http_requests_total{method="POST",path="/v1/client/events",status="200"} 1\n')
    expect(after).not.toContain(user.id)
  })

  it("publish the keys that verify a session token", async () => {
    const { keys } = (await (await server.api.root("/.well-known/jwks.json")).json()) as {
      keys: Array<{ kty: string; crv: string; x: string; kid: string }>
    }
    const [head = "", body = "", signature = ""] = user.sessionToken.split(".")
    const jwk = keys.find(({ kid }) => kid === decodeJson(head)["kid"])
    expect(jwk).toBeDefined()
    expect(keys.filter((key) => "d" in key)).toEqual([])
    const key = await crypto.subtle.importKey("jwk", jwk ?? {}, "Ed25519", false, ["verify"])
    const verify = (signed: string) =>
      crypto.subtle.verify("Ed25519", key, decodeBytes(signature), new TextEncoder().encode(signed))
    expect(await verify(`${head}.${body}`)).toBe(true)
    expect(await verify(`${head}.${body.slice(0, -1)}`)).toBe(false)
    expect(decodeJson(body)).toMatchObject({ iss: "hearth", sub: user.id, pid: project.id })
    expect(Number(decodeJson(body)["exp"]) * 1000 - Date.now()).toBeGreaterThan(50 * 60_000)
  })
})
