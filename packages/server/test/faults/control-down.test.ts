import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startTcpProxy, type TcpProxy } from "../../../adapters/test/postgres/tcp-proxy.ts"
import { fullPath } from "../../src/http/routing/route.ts"
import { routes } from "../../src/routes/index.ts"
import type { Credentials } from "../harness/api.ts"
import { aProject, aUser, someAddress, type TestProject, type TestUser } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import type { Sql } from "../harness/sql.ts"

const someId = "0190aaaa-bbbb-7ccc-8ddd-ffffffffffff"
const domain = "links.example"

describe("the control database is away", () => {
  const harness = makeHarness()
  let sql: Sql
  let proxy: TcpProxy
  let server: TestServer
  let project: TestProject
  let user: TestUser
  let refreshToken: string

  beforeAll(async () => {
    const database = await harness.database()
    sql = database.sql
    proxy = await startTcpProxy(database.environment["DATABASE_URL"] ?? "")
    server = await harness.server({ ...database.environment, DATABASE_URL: proxy.url, LOG_LEVEL: "error" })
    project = await aProject(server.api)
    user = await aUser(server.api, project)
    const { email, password } = project.owner
    const login = { email, password }
    const pair = await server.api.ok<{ refresh_token: string }>("POST", "/auth/developer/login", someAddress(), login)
    refreshToken = pair.refresh_token
    await server.api.ok("PUT", `${project.admin}/deep-links/config`, project.owner.as, {
      universal_link_domain: domain,
    })
  })
  afterAll(async () => {
    await harness.clear()
    await proxy.close()
  })

  /** Bodies of the routes that read one before they need the control database. */
  const bodyOf = (name: string): object => {
    const { email, password } = project.owner
    if (/developer\/(refresh|logout)$/.test(name)) return { refresh_token: refreshToken }
    return { email: name.endsWith("signup") ? `new-${email}` : email, password, name: "Another" }
  }

  /** Calls every route with credentials that are good. Answers what is not 503 as it should be. */
  const findWrongAnswers = async () => {
    const credentials: Readonly<Record<string, Credentials>> = {
      "client-key": project.app,
      client: user.as,
      developer: project.owner.as,
    }
    const wrong: Array<string> = []
    for (const route of routes) {
      const { method, options } = route
      const path = fullPath(route).replace(":projectId", project.id).replaceAll(/:\w+/g, someId)
      const paging = options.returns.paged ? "?limit=1&offset=0" : ""
      const query = options.access === "webhook" ? `?project_id=${project.id}` : paging
      const response = await fetch(`${server.url}${path}${query}`, {
        method,
        redirect: "manual",
        headers: {
          ...credentials[options.access],
          ...someAddress(),
          "x-forwarded-host": domain,
          "content-type": "application/json",
        },
        ...(method === "GET" ? {} : { body: JSON.stringify(bodyOf(path)) }),
      })
      const text = await response.text()
      const answer = `${response.status} ${response.headers.get("retry-after")} ${/"code":"(\w+)"/.exec(text)?.[1]}`
      if (answer !== "503 1 SERVICE_UNAVAILABLE") wrong.push(`${method} ${path}: ${answer}`)
    }
    return wrong
  }

  const readReadiness = async () => {
    const response = await server.api.root("/health/ready")
    const lines = (await response.text()).trim().split("\n")
    const states = lines.map((line) => JSON.parse(line)).map(({ dependency, status }) => `${dependency} ${status}`)
    return [response.status, response.headers.get("retry-after"), ...states.slice(0, 2)]
  }

  const isWell = async () => {
    await expect.poll(readReadiness).toEqual([200, null, "control-database ok", "notifications ok"])
    await server.api.ok("GET", "/client/users/me", user.as)
    await server.api.ok("GET", project.admin, project.owner.as)
  }

  it("is 503 on every route with Retry-After, and readiness fails; then all is well again", async () => {
    await isWell()
    await sql.rows("postgres", "alter database hearth with allow_connections false")
    await sql.rows("postgres", "select pg_terminate_backend(pid) from pg_stat_activity where datname = 'hearth'")
    // What was remembered of a caller is used for a second, and would let the user be deleted.
    const askAsUser = async () => (await server.api.call("GET", "/client/users/me", user.as)).status
    await expect.poll(askAsUser).toBe(503)
    await expect.poll(findWrongAnswers).toEqual([])
    expect(await readReadiness()).toEqual([503, "1", "control-database failed", "notifications degraded"])
    expect((await server.api.root("/health/live")).status).toBe(200)
    await sql.rows("postgres", "alter database hearth with allow_connections true")
    await isWell()
  })

  it("is 503 on every route at once when the whole server is gone, whatever is remembered of the callers", async () => {
    await isWell()
    await proxy.close()
    const remembered = ["GET", "/client/users/me", user.as] as const
    const answer = await server.api.call(...remembered)
    expect([answer.status, answer.code, answer.headers.get("retry-after")]).toEqual([503, "SERVICE_UNAVAILABLE", "1"])
    // A body that is not valid is refused by those who know its caller for another second.
    expect((await findWrongAnswers()).filter((wrong) => !wrong.includes(": 400 "))).toEqual([])
    await expect.poll(findWrongAnswers).toEqual([])
    expect(await readReadiness()).toEqual([503, "1", "control-database failed", "notifications degraded"])
  })
})
