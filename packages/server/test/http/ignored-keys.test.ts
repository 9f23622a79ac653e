import { ProjectChanges } from "@hearth/core/projects"
import { Effect } from "effect"
import { Registry } from "prom-client"
import { describe, expect, it, test } from "vitest"
import { createApp } from "../../src/http/app.ts"
import { makeIgnoredKeys } from "../../src/http/request/ignored-keys.ts"
import { fullPath, isInPlane } from "../../src/http/routing/route.ts"
import { routeGroups, routes } from "../../src/routes/index.ts"
import { clientKey, projectId, sampleAccess } from "./sample-app.ts"

// No use case is there: what is tested is said before one is called.
const core = new Proxy({}, { get: () => new Proxy({}, { get: () => () => Effect.die("canary-7c1f") }) })

const app = createApp({
  groups: routeGroups,
  core: core as never,
  access: {
    ...sampleAccess,
    session: (project) =>
      Effect.succeed({ project_id: project, user_id: "u", session_id: "s", expires_at: new Date(0) }),
  },
  limiter: { consume: () => Effect.succeed({ allowed: true, limit: 1, remaining: 1, reset_seconds: 1 }) },
  log: () => {},
  registry: new Registry(),
  databases: { controlAnswers: Effect.succeed(true), isTimeout: () => false },
  trustProxy: false,
  makeRequestId: () => "made-1",
  checks: [],
  keySet: () => ({}),
  version: "0",
})

const send = (method: string, path: string, body?: unknown) =>
  app.fetch(
    new Request(
      `http://hearth.test${path.replaceAll(":projectId", projectId).replaceAll(":provider", "paywall").replaceAll(/:\w+/g, projectId)}`,
      {
        method,
        headers: {
          "x-api-key": clientKey,
          authorization: `Bearer ${path.includes("/client/") ? "session-token" : "owner-token"}`,
          "content-type": "application/json",
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
    ),
  )

const inPlanes = routes.filter(isInPlane)
const withBody = inPlanes.filter(({ options: { body } }) => body !== undefined)

describe("keys that a body does not have", () => {
  test.each(withBody.map((route) => [`${route.method} ${fullPath(route)}`, route] as const))("%s", async (_, route) => {
    const response = await send(route.method, fullPath(route), { "nmae é": "canary-7c1f", xs: { deep: 1 } })
    expect(response.headers.get("x-ignored-keys")).toBe("nmae%20%C3%A9, xs")
  })

  const eventsOf = routes.find(({ path }) => path === "/client/events")?.options.bodyShape
  const name = (value: unknown) => (eventsOf === undefined ? undefined : makeIgnoredKeys(eventsOf)?.(value))

  it.each([
    [{ event_name: "a", properties: { any: { thing: 1 } } }, null],
    [{ event_nmae: "a" }, "event_nmae"],
    [
      { events: [{ event_name: "a" }, { x: 1, y: 2 }, { x: 3, event_name: "b", properties: { z: 1 } }] },
      "events[].x, events[].y",
    ],
    [{ events: "text", "\r\nset-cookie: a=b": 1 }, "%0D%0Aset-cookie%3A%20a%3Db"],
    [{ events: [null, 5, [], "x", [{ x: 1 }]] }, null],
    [null, null],
    [[{ x: 1 }], null],
  ])("of %j are %s", (value, expected) => {
    expect(name(value)).toBe(expected)
  })

  it("of a record are those of its values", () => {
    const ignored = makeIgnoredKeys(ProjectChanges)
    const limits = { content: { per_minute: 1, per_hour: 2 }, auth: { per_hour: 3 }, media: null }
    expect(ignored?.({ name: "a", limits })).toBe("limits.*.per_hour")
    expect(ignored?.({ limits: { content: { per_day: 5 } } })).toBe(null)
  })

  it("are ten at most, each cut", () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`${at}k`.padEnd(500, "é"), 1]))
    const header = name(many) ?? ""
    expect(header.split(", ")).toHaveLength(11)
    expect(header).toMatch(/, \.\.\.$/)
    expect(header.length).toBeLessThan(1_100)
  })
})

describe("parameters that a call does not have", () => {
  test.each(inPlanes.map((route) => [`${route.method} ${fullPath(route)}`, route] as const))("%s", async (_, route) => {
    const known = Object.keys(route.options.query ?? {})
    const asked = known.includes("since")
      ? "&since=2026-01-01"
      : known.includes("slug")
        ? "&slug=a"
        : known.includes("item_id")
          ? "&item_type=a&item_id=b"
          : ""
    const response = await send(route.method, `${fullPath(route)}?limiit=1${asked}`)
    const { error } = (await response.json()) as { error: { code: string; message: string; details: unknown } }
    const nearest = known.includes("limit") ? { nearest: "limit" } : {}
    expect([response.status, error.code, error.details]).toEqual([
      400,
      "UNKNOWN_PARAMETER",
      { parameter: "limiit", known, ...nearest },
    ])
    expect(error.message).toContain(known.length === 0 ? "This call takes none." : `Known are ${known.join(", ")}.`)
  })

  it.each([
    ["/v1/client/groups/mine?limit=0&limiit=1", "INVALID_LIMIT"],
    ["/v1/client/groups/nothing/members?limiit=1", "NOT_FOUND"],
    ["/v1/client/xp?%ff", "UNKNOWN_PARAMETER"],
    ["/v1/client/xp?", "INTERNAL_ERROR"],
    ["/v1/client/xp?&&", "INTERNAL_ERROR"],
  ])("%s is %s", async (path, code) => {
    const response = await send("GET", path)
    expect(((await response.json()) as { error: { code: string } }).error.code).toBe(code)
  })

  it("are of no concern to webhooks, links and what is without a credential", async () => {
    const hook = await send("POST", "/v1/webhooks/paywall?project_id=nothing&utm=1", {})
    expect(((await hook.json()) as { error: { code: string } }).error.code).toBe("MISSING_PROJECT")
    expect((await send("GET", "/health/live?utm=1")).status).toBe(200)
  })
})
