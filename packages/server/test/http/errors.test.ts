import { TenantUnavailable } from "@hearth/core"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { refusalHeaders, statusOf } from "../../src/http/response/errors.ts"
import { as, ask, codeOf, projectId, sampleAccess, sampleApp } from "./sample-app.ts"

const notes = `/v1/admin/projects/${projectId}/notes`
const internal = "Something went wrong on our side."

describe("a failure", () => {
  it.each([
    ["missing", 404, "NOT_FOUND"],
    ["busy", 503, "BUSY"],
    ["unreachable", 502, "TENANT_UNAVAILABLE"],
    ["overrun", 503, "TENANT_BUSY"],
    ["too-slow", 503, "TENANT_BUSY"],
    ["no-control", 503, "SERVICE_UNAVAILABLE"],
    ["dead", 500, "FETCH_FAILED"],
    ["thrown", 500, "FETCH_FAILED"],
    ["malformed", 500, "FETCH_FAILED"],
  ])("%s is answered as %i %s", async (kind, status, code) => {
    const response = await ask(sampleApp().app, "GET", `/v1/client/trouble/${kind}`, { headers: as.user })
    expect([response.status, await codeOf(response)]).toEqual([status, code])
  })

  it("is INTERNAL_ERROR where it is unexpected and the route names no code", async () => {
    const response = await ask(sampleApp().app, "POST", "/v1/client/trouble/dead", { headers: as.key })
    expect([response.status, await response.json()]).toEqual([
      500,
      { error: { code: "INTERNAL_ERROR", message: internal, request_id: "made-1" } },
    ])
  })

  it("of the tenant's database while the credentials are checked is 502", async () => {
    const headers = { ...as.key, authorization: "Bearer unreachable-token" }
    const response = await ask(sampleApp().app, "GET", "/v1/client/trouble/missing", { headers })
    expect([response.status, await codeOf(response)]).toEqual([502, "TENANT_UNAVAILABLE"])
  })

  it("of the tenant's database is that of the caller's right where the project was removed meanwhile", async () => {
    const { core } = sampleApp()
    const removing = (lost: Partial<typeof sampleAccess>, details?: Readonly<Record<string, unknown>>) => {
      const access = { ...sampleAccess }
      const trouble = () =>
        Effect.suspend((): Effect.Effect<never> => {
          Object.assign(access, lost)
          return Effect.fail(new TenantUnavailable(details)) as never
        })
      return sampleApp({ core: { ...core, note: trouble, trouble }, access }).app
    }
    const ofUser = removing({ projectOfKey: () => Effect.succeed(null) })
    const user = await ask(ofUser, "GET", "/v1/client/trouble/any", { headers: as.user })
    expect([user.status, await codeOf(user)]).toEqual([401, "UNAUTHORIZED"])
    const ofDeveloper = removing({ roleIn: () => Effect.succeed(null) })
    const developer = await ask(ofDeveloper, "POST", notes, { headers: as.owner, body: { title: "a" } })
    expect([developer.status, await codeOf(developer)]).toEqual([403, "FORBIDDEN"])
    // Whoever is told to sign in does so and asks again.
    const ofUnknown = removing({ projectOfKey: () => Effect.succeed(null) }, { outcome: "unknown" })
    const unknown = await ask(ofUnknown, "GET", "/v1/client/trouble/any", { headers: as.user })
    expect([unknown.status, await codeOf(unknown)]).toEqual([502, "TENANT_UNAVAILABLE"])
  })

  it("of the tenant's database is 503 where the control database is away too: it is not that project's alone", async () => {
    const { app } = sampleApp({ databases: { controlAnswers: Effect.succeed(false), isTimeout: () => false } })
    const response = await ask(app, "GET", "/v1/client/trouble/unreachable", { headers: as.user })
    expect([response.status, await codeOf(response)]).toEqual([503, "SERVICE_UNAVAILABLE"])
    expect(response.headers.get("retry-after")).toBe("1")
  })

  it("has details and Retry-After", async () => {
    const response = await ask(sampleApp().app, "GET", "/v1/client/trouble/busy", { headers: as.user })
    expect(await response.json()).toEqual({
      error: {
        code: "BUSY",
        message: "Too much is going on.",
        details: { retry_after_seconds: 7 },
        request_id: "made-1",
      },
    })
    expect(response.headers.get("retry-after")).toBe("7")
  })

  it("of a body lists all issues at once, without values", async () => {
    const response = await ask(sampleApp().app, "POST", notes, {
      headers: as.admin,
      body: { stars: "canary-7c1f", tags: ["fine", 5, { deep: "canary-7c1f" }] },
    })
    const answer = (await response.json()) as { error: { details: { issues: unknown } } }
    expect(response.status).toBe(400)
    expect(answer).toMatchObject({ error: { code: "INVALID_BODY" } })
    expect(answer.error.details.issues).toEqual([
      { path: "title", message: "is required" },
      { path: "stars", message: "must be an integer" },
      { path: "tags.1", message: "must be a string" },
      { path: "tags.2", message: "must be a string" },
    ])
    expect(JSON.stringify(answer)).not.toContain("canary")
  })

  it("lists at most a hundred issues", async () => {
    const body = { title: "t", tags: Array<number>(5_000).fill(1) }
    const response = await ask(sampleApp().app, "POST", notes, { headers: as.admin, body })
    expect(((await response.json()) as { error: { details: { issues: unknown } } }).error.details.issues).toHaveLength(
      100,
    )
  })

  it("of a credential has WWW-Authenticate", async () => {
    const response = await ask(sampleApp().app, "GET", notes)
    expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
  })

  it.each([
    [undefined, "1"],
    [0.2, "1"],
    [7.1, "8"],
    [Number.NaN, "1"],
    ["soon", "1"],
  ])("that says to wait %s is answered with Retry-After %s", (seconds, expected) => {
    const refusal = { code: "X", kind: "unavailable", message: "", details: { retry_after_seconds: seconds } } as const
    expect(refusalHeaders(503, refusal)).toEqual({ "retry-after": expected })
  })

  it("has the status of its kind", () => {
    const kinds = ["payment_required", "conflict", "too_large", "rate_limited", "internal", "upstream"] as const
    expect(kinds.map((kind) => statusOf({ kind, code: "X" }))).toEqual([402, 409, 413, 429, 500, 502])
  })
})

describe("the answer for an unknown project and for one of others", () => {
  it("is the same to the byte", async () => {
    const { app } = sampleApp()
    const headers = { ...as.stranger, "x-request-id": "same" }
    const [others, missing, malformed] = await Promise.all(
      [projectId, "0190aaaa-bbbb-7ccc-8ddd-ffffffffffff", "nonsense"].map(async (id) => {
        const response = await ask(app, "GET", `/v1/admin/projects/${id}/notes`, { headers })
        return [response.status, [...response.headers], await response.text()]
      }),
    )
    expect(missing).toEqual(others)
    expect(malformed).toEqual(others)
    expect(others?.[0]).toBe(403)
  })
})

describe("roles", () => {
  const path = `${notes}/0190aaaa-bbbb-7ccc-8ddd-ffffffffffff`
  it.each([
    ["viewer", "GET", notes, 200],
    ["viewer", "HEAD", notes, 200],
    ["viewer", "PATCH", path, 403],
    ["viewer", "DELETE", path, 403],
    ["admin", "DELETE", path, 200],
    ["admin", "PUT", path, 403],
    ["owner", "PUT", path, 400],
  ] as const)("a %s who sends %s to %s is answered %i", async (role, method, to, status) => {
    expect((await ask(sampleApp().app, method, to, { headers: as[role] })).status).toBe(status)
  })
})

describe("the log", () => {
  it("has one line per request, with the pattern of its path", async () => {
    const { app, log } = sampleApp()
    await ask(app, "GET", "/v1/client/trouble/canary-7c1f?canary-7c1f=1", { headers: as.nobody })
    expect(log.lines).toEqual([
      {
        level: "info",
        message: "request",
        facts: {
          request_id: "made-1",
          method: "GET",
          path: "/v1/client/trouble/:kind",
          status: 401,
          code: "UNAUTHORIZED",
          ms: expect.any(Number),
        },
      },
    ])
  })

  it("has the cause of a fault, which the answer has not", async () => {
    const { app, log } = sampleApp()
    const response = await ask(app, "GET", "/v1/client/trouble/dead", { headers: as.user })
    expect(await response.text()).not.toContain("canary-7c1f")
    expect(log.lines[0]).toMatchObject({ level: "error", facts: { status: 500, request_id: "made-1" } })
    expect(log.lines[0]?.facts["cause"]).toContain("canary-7c1f")
  })

  it("has no credentials, no bodies and no addresses", async () => {
    const { app, log } = sampleApp()
    await ask(app, "POST", notes, { headers: { authorization: "Bearer canary-7c1f" }, body: { title: "canary-7c1f" } })
    await ask(app, "POST", notes, { headers: as.owner, body: { title: 5, canary: "canary-7c1f" } })
    await ask(app, "GET", "/v1/canary-7c1f?token=canary-7c1f")
    expect(log.lines).toHaveLength(3)
    expect(JSON.stringify(log.lines)).not.toMatch(/canary|owner-token/)
  })
})

describe("a client that hangs up", () => {
  const leave = async (method: string, headers: Record<string, string>) => {
    const { app, log } = sampleApp()
    const gone = new AbortController()
    const answer = ask(app, method, "/v1/client/trouble/slow", { headers, signal: gone.signal })
    setTimeout(() => gone.abort(), 20)
    const response = await answer
    return { status: response.status, interrupted: log.interrupted, finished: log.finished, level: log.lines[0]?.level }
  }

  it("interrupts a read", async () => {
    expect(await leave("GET", as.user)).toEqual({ status: 499, interrupted: 1, finished: 0, level: "info" })
  })

  it("does not interrupt a write", async () => {
    expect(await leave("POST", as.key)).toEqual({ status: 200, interrupted: 0, finished: 1, level: "info" })
  })
})
