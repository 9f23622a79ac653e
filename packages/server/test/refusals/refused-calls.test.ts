import { randomUUID } from "node:crypto"
import type { RefusedCallRow } from "@hearth/core/refusals"
import { databaseUrl } from "@hearth/test-services"
import { Effect } from "effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fullPath } from "../../src/http/routing/route.ts"
import { routes } from "../../src/routes/index.ts"
import type { Credentials } from "../harness/api.ts"
import { someJwtKeys } from "../harness/harness.ts"
import { sqlOf } from "../harness/sql.ts"
import { openRealService, type RealService } from "../routes/real-service.ts"

type Listed = Omit<RefusedCallRow, "project_id"> & { readonly what_to_do: string | null }

interface Opened {
  readonly id: string
  readonly developer: Credentials
  readonly app: Credentials
  readonly user: Credentials
}

const canary = "canary-7c1f"

describe("the log of refused calls", () => {
  let services: ReadonlyArray<RealService> = []
  beforeAll(async () => {
    const keys = { JWT_KEYS: someJwtKeys() }
    services = await Promise.all([openRealService(keys), openRealService(keys)])
  })
  afterAll(() => Promise.all(services.map((service) => service.close())))

  const call = async (
    path: string,
    { method = "GET", as = {}, body, on = 0 }: { method?: string; as?: Credentials; body?: unknown; on?: number } = {},
  ): Promise<Response> => {
    const json = body === undefined ? {} : { "content-type": "application/json" }
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const request = new Request(`http://hearth.test${path}`, { method, headers: { ...json, ...as }, ...sent })
    const response = await services[on]?.fetch(request)
    if (response === undefined) throw new Error("There is no such server.")
    return response
  }
  const run = <A, E>(work: (core: RealService["core"]) => Effect.Effect<A, E>, on = 0): Promise<A> => {
    const service = services[on]
    if (service === undefined) throw new Error("There is no such server.")
    return Effect.runPromise(work(service.core))
  }
  const open = async (): Promise<Opened> => {
    const account = { email: `${randomUUID()}@example.com`, password: randomUUID() }
    const { developer, access_token } = await run((core) => core.developers.signup(account))
    const { id, client_api_key } = await run((core) => core.projects.create(developer.id, { name: "Refused" }))
    const { session_token } = await run((core) => core.auth.anonymous(id))
    const app = { "x-api-key": client_api_key }
    const user = { ...app, authorization: `Bearer ${session_token}` }
    return { id, app, user, developer: { authorization: `Bearer ${access_token}` } }
  }
  const list = async ({ id, developer }: Opened, query = "", on = 0): Promise<ReadonlyArray<Listed>> => {
    const response = await call(`/v1/admin/projects/${id}/refusals?limit=1000&${query}`, { as: developer, on })
    expect(response.status).toBe(200)
    return ((await response.json()) as { data: ReadonlyArray<Listed> }).data
  }

  it("has what was refused, by route and code, with what to do", async () => {
    const project = await open()
    expect(await list(project)).toEqual([])
    for (const id of ["first", "second"])
      await call("/v1/client/events", { method: "POST", as: { ...project.user, "x-request-id": id }, body: {} })
    await call(`/v1/admin/projects/${project.id}/users/${randomUUID()}`, { as: project.developer })
    await call("/v1/client/users/me", { as: project.user })
    const rows = await list(project)
    expect(
      rows.map(({ caller, method, path, status, code, count }) => [caller, method, path, status, code, count]),
    ).toEqual([
      ["developer", "GET", "/v1/admin/projects/:projectId/users/:userId", 404, "NOT_FOUND", 1],
      ["app", "POST", "/v1/client/events", 400, "INVALID_EVENT_NAME", 2],
    ])
    expect(rows[1]).toMatchObject({ request_id: "second", message: "event_name is required." })
    expect(rows[1]?.what_to_do).toMatch(/^Send a name of 1 to 255 characters.*\.$/)
    expect((await list(project, "status=404")).map(({ code }) => code)).toEqual(["NOT_FOUND"])
    expect((await list(project, "code=INVALID_EVENT_NAME&status=400")).map(({ count }) => count)).toEqual([2])
    expect(await list(project, "code=INVALID_EVENT_NAME&status=404")).toEqual([])
    expect((await call(`/v1/admin/projects/${project.id}/refusals?status=99`, { as: project.developer })).status).toBe(
      400,
    )
  })

  it("is for members, and tells strangers from those who belong to the project", async () => {
    const [project, other] = [await open(), await open()]
    const path = `/v1/admin/projects/${project.id}/refusals`
    expect((await call(path, { as: other.developer })).status).toBe(403)
    expect((await call(path)).status).toBe(401)
    expect((await call(path, { method: "POST" })).status).toBe(405)
    await call("/v1/client/users/me", { as: project.app })
    await call("/v1/client/users/me", { as: { "x-api-key": `pk_${"0".repeat(32)}` } })
    const kinds = (await list(project)).map(({ caller, method, status }) => `${caller} ${method} ${status}`)
    expect(kinds.sort()).toEqual(["app GET 401", "unknown GET 401", "unknown GET 403", "unknown POST 405"])
    expect(await list(other)).toEqual([])
  })

  it("has what a provider was refused, whose project is in the query", async () => {
    const project = await open()
    await call(`/v1/webhooks/subscription?project_id=${project.id}`, { method: "POST", body: { canary } })
    expect(await list(project)).toMatchObject([{ caller: "unknown", path: "/v1/webhooks/subscription" }])
  })

  it("adds up what two servers have refused", async () => {
    const project = await open()
    for (const on of [0, 1, 1]) await call("/v1/client/events", { method: "POST", as: project.user, body: {}, on })
    await run((core) => core.refusals.write(), 1)
    expect(await list(project)).toMatchObject([{ code: "INVALID_EVENT_NAME", count: 3 }])
    await call("/v1/client/events", { method: "POST", as: project.user, body: {} })
    expect(await list(project, "", 1)).toMatchObject([{ count: 3 }])
    expect(await list(project)).toMatchObject([{ count: 4 }])
    expect(await list(project, "", 1)).toMatchObject([{ count: 4 }])
  })

  it("has nothing of a project that there is not, and goes with its project", async () => {
    const project = await open()
    const nobodys = randomUUID()
    const sql = sqlOf(databaseUrl)
    const count = async (id: string) => {
      await run((core) => core.refusals.write())
      const text = "select count(*)::int as found from refused_calls where project_id = $1"
      const [row] = await sql.rows<{ found: number }>(services[0]?.controlDatabase ?? "", text, [id])
      return row?.found
    }
    for (const id of [nobodys, project.id]) await call(`/v1/admin/projects/${id}/streaks`)
    expect([await count(nobodys), await count(project.id)]).toEqual([0, 1])
    await call(`/v1/admin/projects/${project.id}`, { method: "DELETE", as: project.developer })
    await call(`/v1/admin/projects/${project.id}/streaks`)
    expect(await count(project.id)).toBe(0)
  })

  it("repeats nothing that was sent, whatever it was", async () => {
    const project = await open()
    const fill = (path: string, value: () => string) =>
      path.replace(":projectId", project.id).replaceAll(/:\w+/g, () => value())
    const kept: Array<Listed> = []
    const key = { [canary]: canary }
    // Of calls of a kind the last sentence is kept, so the log is read after each round.
    for (const value of [canary, key, { [canary]: [1] }, [key], { all: [key], items: [key], field: canary }]) {
      for (const route of routes) {
        const { method, options } = route
        const as = options.access === "developer" ? project.developer : project.user
        const path = fill(fullPath(route), () => canary)
        await call(`${path}?${canary}=${canary}`, { method, as })
        if (options.body === undefined) continue
        await call(path, { method, as: { ...as, "content-type": canary }, body: key })
        const { fields = {} } = (options.bodyShape ?? options.body) as { readonly fields?: object }
        const body = { ...key, ...Object.fromEntries(Object.keys(fields).map((name) => [name, value])) }
        // With ids of their form, so that the body is read.
        await call(fill(fullPath(route), randomUUID), { method, as, body })
      }
      kept.push(...(await list(project)))
    }
    expect(kept.length).toBeGreaterThan(500)
    expect(JSON.stringify(kept)).not.toContain(canary)
  })

  it("names the keys of the API, and leaves those out that are a caller's own", async () => {
    const project = await open()
    const admin = (path: string, method: string, body: object) =>
      call(`/v1/admin/projects/${project.id}${path}`, { method, as: project.developer, body })
    await admin("", "PATCH", { limits: { [canary]: { minute: "many" } } })
    await admin("/events", "POST", { event_name: "a", properties: { [canary]: { [canary]: "\u0000" } } })
    const said = (await list(project)).map(({ message }) => message).join("; ")
    expect(said).toContain("properties.….… must not contain NUL.")
    expect(said).toContain("limits may have only")
    expect(said).not.toContain(canary)
  })
})
