import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { freePort } from "@hearth/test-services"
import { type BrowserPage, hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { build } from "esbuild"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const refresh = "/v1/client/auth/refresh"

/** A page of another origin, as an app would be: with the client, bundled. */
const servePage = async (url: string, apiKey: string): Promise<Server> => {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createClient } from "@hearth/client"
        globalThis.hearth = createClient({ url: "${url}", apiKey: "${apiKey}" })`,
      resolveDir: import.meta.dirname,
    },
    ...{ bundle: true, minify: true, format: "esm", target: "es2022", write: false },
  })
  const script = outputFiles?.[0]?.text ?? ""
  const page = `<!doctype html><title>App</title><link rel=icon href=data:,><script type=module src=/app.js></script>`
  const server = createServer((request, response) =>
    request.url === "/app.js"
      ? response.writeHead(200, { "content-type": "text/javascript" }).end(script)
      : response.writeHead(200, { "content-type": "text/html" }).end(page),
  ).listen(0, "127.0.0.1")
  await once(server, "listening")
  return server
}

describe.skipIf(!hasChromium)("the client in a browser", () => {
  const harness = makeHarness()
  const opened: Array<BrowserPage> = []
  let environment: Record<string, string>
  let server: TestServer
  let project: TestProject
  let pages: Server
  let browser: TestBrowser
  let address: string

  const openPage = async () => {
    const one = await browser.open(address, { origins: [server.url] })
    opened.push(one)
    return one
  }
  /** What an expression answers in a page; `hearth` is the client. */
  const ask = <T>({ page }: BrowserPage, expression: string) => page.evaluate<T>(expression)
  const eventsOf = async (userId: string) => {
    const path = `${project.admin}/users/${userId}/events`
    const events = await server.api.ok<ReadonlyArray<{ event_name: string }>>("GET", path, project.owner.as)
    return events.map(({ event_name }) => event_name).sort()
  }
  const signIn = (page: BrowserPage) => ask<string>(page, "hearth.signInAnonymously().then(({ userId }) => userId)")

  beforeAll(async () => {
    environment = { DATA_DIR: harness.folder(), PORT: String(await freePort()) }
    server = await harness.server(environment)
    project = await aProject(server.api)
    pages = await servePage(server.url, project.clientKey)
    address = `http://localhost:${(pages.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    pages?.close()
    await harness.clear()
  })

  it("signs in, calls and tracks from another origin, without a problem", async () => {
    const app = await openPage()
    const userId = await signIn(app)
    await ask(app, `hearth.track("lesson_completed", { score: 87 }), hearth.flush()`)
    expect(await eventsOf(userId)).toEqual(["lesson_completed"])
    expect(await ask(app, "hearth.me().then(({ id }) => id)")).toBe(userId)
    const refusal = `hearth.api.POST("/client/groups/{groupId}/join", { params: { path: { groupId: "${project.id}" } } })
      .catch(({ status, code, requestId }) => [status, code, typeof requestId])`
    expect(await ask(app, refusal)).toEqual([404, "NOT_FOUND", "string"])
    expect(app.foreign).toEqual([])
    expect(app.problems.filter((problem) => !problem.includes("404"))).toEqual([])
  })

  it("sends what was tracked in a page that is gone at once", async () => {
    const app = await openPage()
    const userId = await signIn(app)
    await ask(app, "hearth.flush()")
    await ask(app, `hearth.track("left"), location.assign("about:blank")`).catch(() => {})
    await expect.poll(() => eventsOf(userId)).toEqual(["left"])
  })

  it("refreshes once for two tabs", async () => {
    const one = await openPage()
    await signIn(one)
    const page = await one.page.context().newPage()
    await page.goto(address)
    const other: BrowserPage = { ...one, page }
    await ask(other, "hearth.session()")
    await ask(
      one,
      `for (const key of Object.keys(localStorage).filter((key) => key.endsWith(".session")))
         localStorage.setItem(key, localStorage.getItem(key).replace(/"accessToken":"[^"]*"/, '"accessToken":"a.b.c"'))`,
    )
    let refreshes = 0
    one.page.context().on("request", (request) => {
      if (request.method() === "POST" && request.url().endsWith(refresh)) refreshes++
    })
    await Promise.all([one.page.reload(), page.reload()])
    const calls = "Promise.all([hearth.me(), hearth.me(), hearth.me()]).then(([{ id }]) => id)"
    const ids = await Promise.all([ask(one, calls), ask(other, calls)])
    expect(ids[0]).toBe(ids[1])
    expect(refreshes).toBe(1)
  })

  it("keeps events while the service is away, over a reload, and they arrive once", async () => {
    const app = await openPage()
    const userId = await signIn(app)
    await ask(app, "hearth.flush()")
    await server.end("SIGKILL")
    await ask(app, `["one", "two", "three"].map((name) => hearth.track(name)), hearth.flush().catch(() => {})`)
    await app.page.reload()
    expect(await signIn(app)).toBe(userId)
    await ask(app, `hearth.track("four")`)
    await app.page.reload()
    server = await harness.server(environment)
    await ask(app, `dispatchEvent(new Event("online"))`)
    await expect.poll(() => eventsOf(userId)).toEqual(["four", "one", "three", "two"])
    await ask(app, "hearth.flush()")
    expect(await ask(app, `Object.keys(localStorage).filter((key) => key.includes(".events"))`)).toEqual([])
    expect(await eventsOf(userId)).toHaveLength(4)
  })
})
