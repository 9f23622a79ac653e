import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHarness, type TestServer } from "../harness/harness.ts"

describe("the files of the console", () => {
  const harness = makeHarness()
  let server: TestServer

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
  })
  afterAll(harness.clear)

  const get = (path: string, headers: Record<string, string> = {}) => fetch(`${server.url}${path}`, { headers })

  const findScript = async () => {
    const text = await (await get("/console")).text()
    return /src="(\/console\/assets\/[^"]+\.js)"/.exec(text)?.[1] ?? ""
  }

  it("are one page at every path, which nobody may frame and which asks nobody else", async () => {
    const page = await get("/console")
    expect(page.status).toBe(200)
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8")
    expect(page.headers.get("cache-control")).toBe("no-cache")
    const policy = page.headers.get("content-security-policy") ?? ""
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'")
    expect(policy).not.toMatch(/unsafe|\*/)
    const text = await page.text()
    for (const path of ["/console/", "/console/projects/x/users/y", "/console/%E0%A4%A"])
      expect(await (await get(path)).text()).toBe(text)
    const etag = page.headers.get("etag") ?? ""
    expect((await get("/console", { "if-none-match": etag })).status).toBe(304)
  })

  it("are kept for good under their names, compressed as the client takes them", async () => {
    const script = await findScript()
    for (const encoding of ["br", "gzip", "identity"]) {
      const answer = await get(script, { "accept-encoding": encoding })
      expect(answer.status).toBe(200)
      expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
      expect(answer.headers.get("content-encoding")).toBe(encoding === "identity" ? null : encoding)
      expect(answer.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
      expect(answer.headers.get("vary")).toBe("accept-encoding")
      expect(await answer.text()).toMatch(/^(import|const|var|function|\/\*)/)
    }
    const head = await fetch(`${server.url}${script}`, { method: "HEAD", headers: { "accept-encoding": "gzip" } })
    expect([head.status, await head.text()]).toEqual([200, ""])
    expect(Number(head.headers.get("content-length"))).toBeGreaterThan(1_000)
  })

  it.each([
    "/console/assets/none.js",
    "/console/assets/../index.html",
    "/console/assets/%2e%2e/index.html",
    "/console/assets/..%2findex.html",
    "/console/assets/.js",
    "/console/assets/",
    "/console/assets/a.js.br",
    "/console/assets/%E0%A4%A.js",
  ])("are nothing else: %s", async (path) => {
    const answer = await get(path)
    // fetch has made a path of the page of what goes up.
    if (new URL(path, server.url).pathname.startsWith("/console/assets/")) expect(answer.status).toBe(404)
    else expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8")
  })

  const findNames = async () => {
    const text = await (await get("/console")).text()
    return [...text.matchAll(/(?:src|href)="(\/console\/assets\/[^"]+)"/g)].map(([, name = ""]) => name)
  }

  it("are built for production, whatever NODE_ENV says where they are built", async () => {
    expect(process.env["NODE_ENV"]).toBe("test")
    const scripts = (await findNames()).filter((name) => name.endsWith(".js"))
    const texts = await Promise.all(scripts.map(async (name) => (await get(name)).text()))
    // What Solid warns of in development only.
    expect(scripts.filter((_, at) => texts[at]?.includes("computations created outside"))).toEqual([])
  })

  it("load in at most 250 KB", async () => {
    const names = await findNames()
    const sizes = await Promise.all(
      names.map(async (name) => {
        const head = await fetch(`${server.url}${name}`, { method: "HEAD", headers: { "accept-encoding": "br" } })
        return Number(head.headers.get("content-length"))
      }),
    )
    expect(names.length).toBeGreaterThan(2)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250 * 1024)
  })
})
