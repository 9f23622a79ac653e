import { randomUUID } from "node:crypto"
import { Registry } from "prom-client"
import { afterEach, describe, expect, it } from "vitest"
import { type Listener, listen } from "../../src/http/listen.ts"
import type { Method, Route } from "../../src/http/routing/route.ts"
import { ask, codeOf, projectId, sampleApp } from "./sample-app.ts"
import { type SampleCore, sampleGroups, sampleRoutes } from "./sample-routes.ts"

const open: Array<Listener> = []
afterEach(async () => {
  await Promise.all(open.splice(0).map(({ close }) => close()))
})

const address = "https://shop.example/a"
const encoded = encodeURIComponent(address)

describe("a route at the root", () => {
  it("answers at the root, and not below /v1", async () => {
    const { app, core } = sampleApp()
    const response = await ask(app, "GET", `/n/${encoded}`)
    expect([response.status, response.headers.get("location")]).toEqual([302, address])
    expect((await ask(app, "GET", `/v1/n/${encoded}`)).status).toBe(404)
    expect((await ask(app, "GET", `/client/links/${encoded}`)).status).toBe(404)
    expect(core.calls).toHaveLength(1)
  })

  it("does not match a longer path, whose project id must be a uuid", async () => {
    const { app, core } = sampleApp()
    expect((await ask(app, "GET", `/n/${projectId.toUpperCase()}/${encoded}`)).status).toBe(302)
    const malformed = await ask(app, "GET", `/n/nothing/${encoded}`)
    expect([malformed.status, await codeOf(malformed)]).toEqual([404, "NOT_FOUND"])
    expect(core.calls).toEqual([{ projectId, title: address }])
  })

  it("answers JSON as others prescribe it, without data around it", async () => {
    const { app, core } = sampleApp()
    const response = await ask(app, "GET", "/.well-known/notes", { headers: { "user-agent": "a crawler" } })
    expect([response.status, await response.text()]).toEqual([200, '{"notes":["all"]}'])
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(core.calls).toEqual([{ title: "all", host: "hearth.test", agent: "a crawler" }])
    expect((await ask(app, "GET", "/.well-known/jwks.json")).status).toBe(200)
  })

  it("passes host and method to its use case, which HEAD runs, too", async () => {
    const { app, core } = sampleApp()
    const headers = { host: "Notes.Example:8443", "x-forwarded-host": "evil.example" }
    const get = await ask(app, "GET", `/n/${encoded}`, { headers })
    const head = await ask(app, "HEAD", `/n/${encoded}`, { headers })
    expect([get.status, head.status, head.headers.get("location")]).toEqual([302, 302, address])
    expect(core.calls).toEqual([
      { title: address, host: "notes.example", method: "GET" },
      { title: address, host: "notes.example", method: "HEAD" },
    ])
  })

  it("reads the host from trusted proxies", async () => {
    const { app, core } = sampleApp({ trustProxy: 1 })
    const headers = { host: "inner.test", "x-forwarded-host": "evil.example, Notes.example" }
    await ask(app, "GET", `/n/${encoded}`, { headers })
    expect(core.calls).toMatchObject([{ host: "notes.example" }])
  })

  it.each(["/n/missing", "/.well-known/notes"])("is 404 where its use case has none for the host: %s", async (path) => {
    const headers = { host: "nobody.test" }
    const response = await ask(sampleApp().app, "GET", path, { headers })
    expect([response.status, await codeOf(response)]).toEqual([404, "NOT_FOUND"])
  })

  it("has no other methods than it says", async () => {
    const response = await ask(sampleApp().app, "POST", `/n/${encoded}`)
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })

  it("is counted and logged by its pattern", async () => {
    const registry = new Registry()
    const { app, log } = sampleApp({ registry })
    await ask(app, "GET", `/n/${encoded}`)
    expect(log.lines.map(({ facts }) => facts["path"])).toEqual(["/n/:title"])
    expect(await registry.metrics()).toContain(
      'hearth_http_requests_total{method="GET",path="/n/:title",status="302"} 1',
    )
  })

  it("redirects over a socket", async () => {
    const { app, core } = sampleApp()
    const listener = await listen(app, { port: 0, host: "127.0.0.1", makeRequestId: randomUUID, drainMillis: 100 })
    open.push(listener)
    for (const method of ["GET", "HEAD"]) {
      const response = await fetch(`${listener.url}/n/${encoded}`, { method, redirect: "manual" })
      expect([response.status, response.headers.get("location"), await response.text()]).toEqual([302, address, ""])
    }
    expect(core.calls).toMatchObject([
      { host: "127.0.0.1", method: "GET" },
      { host: "127.0.0.1", method: "HEAD" },
    ])
  })
})

describe("createApp", () => {
  const [first] = sampleRoutes
  const another = (method: Method, path: string): Route<SampleCore> => {
    if (first === undefined) throw new Error("There are no sample routes.")
    return { method, path, options: { ...first.options, id: "another", base: "root" } }
  }

  it.each([
    [
      "two routes of one method and path, one of them at the root",
      another("POST", "/admin/projects/:projectId/notes"),
      "There are two routes for",
    ],
    ["a route with the path of the reference", another("GET", "/docs"), "/docs is a path of the service itself."],
    [
      "another method of the path of the keys",
      another("POST", "/.well-known/jwks.json"),
      "is a path of the service itself.",
    ],
  ])("throws for %s", (_, added, message) => {
    expect(() =>
      sampleApp({ groups: [...sampleGroups, { title: "More", description: "More.", routes: [added] }] }),
    ).toThrow(message)
  })
})
