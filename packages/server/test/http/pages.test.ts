import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { html } from "../../src/http/pages/page.ts"
import { as, ask, codeOf, sampleApp } from "./sample-app.ts"

const project = {
  id: "0190aaaa-bbbb-7ccc-8ddd-eeeeffff0000",
  name: "<b>Lingua</b>",
  created_at: new Date(Date.UTC(2026, 2, 1)),
  keys: [{ name: null, key: "pk_1" }],
}

const development = () => {
  const asked: Array<string | null> = []
  const projects = async (id: string | null) => {
    asked.push(id)
    return [project]
  }
  return { asked, ...sampleApp({ outbox: () => [], pushes: () => [], projects }) }
}

const here = { host: "localhost:8080" }
const browser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" }
const pages = ["/dev", "/auth/verify"]

/** Whether the policy of a page allows its own style and script, and no others. */
const checkPolicy = async (response: Response) => {
  const text = await response.text()
  const policy = response.headers.get("content-security-policy") ?? ""
  expect(policy).toContain("default-src 'none'; ")
  expect(policy).toContain("base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
  expect(policy).not.toContain("unsafe")
  for (const tag of ["script", "style"]) {
    const [, own = null] = new RegExp(`<${tag}>(.*?)</${tag}>`, "s").exec(text) ?? []
    const source = own === null ? "'none'" : `'sha256-${createHash("sha256").update(own).digest("base64")}'`
    expect(policy).toContain(`${tag}-src ${source};`)
  }
  expect(text).not.toMatch(/\s(on\w+|style|src)=|https?:\/\/(?!www\.w3\.org\/2000\/svg)[a-z]/)
}

describe("the root", () => {
  it("says in JSON what this is and where to go", async () => {
    const response = await ask(sampleApp().app, "GET", "/")
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"])
    const { data } = (await response.json()) as { data: { version: string; links: Record<string, string> } }
    expect(data.version).toBe("1.2.3")
    expect(data.links).toMatchObject({ reference: "/docs", openapi: "/openapi.json", health: "/health/ready" })
    expect(data.links).not.toHaveProperty("development")
  })

  it("says it to browsers as a page, whose links lead somewhere", async () => {
    const { app } = development()
    const response = await ask(app, "GET", "/", { headers: browser })
    expect(response.headers.get("vary")).toBe("accept")
    const links = [...(await response.clone().text()).matchAll(/<a href="([^"]+)"/g)].map(([, path = ""]) => path)
    expect(links).toEqual(["/console", "/docs", "/openapi.json", "/health/ready", "/.well-known/jwks.json", "/dev"])
    for (const path of links)
      expect([path, (await ask(app, "GET", path, { headers: here })).status]).toEqual([path, 200])
    await checkPolicy(response)
  })
})

describe("the pages of development", () => {
  it.each(pages)("are there with the projects only: %s", async (path) => {
    const { app } = development()
    await checkPolicy(await ask(app, "GET", path, { headers: here }))
    const production = await ask(sampleApp().app, "GET", path, { headers: { ...here, ...as.owner } })
    expect([production.status, await codeOf(production)]).toEqual([404, "NOT_FOUND"])
  })

  it.each([...pages, "/dev/projects", "/dev/outbox", "/dev/push"])("are 404 under another host: %s", async (path) => {
    const { app, asked } = development()
    for (const host of ["eve.example", "127.0.0.1.eve.example", "192.168.0.7:8080"])
      expect((await ask(app, "GET", path, { headers: { host } })).status).toBe(404)
    expect(asked).toEqual([])
  })

  it("show projects with their keys as JSON, or the one that is asked for", async () => {
    const { app, asked } = development()
    const response = await ask(app, "GET", "/dev/projects", { headers: here })
    expect(await response.json()).toEqual({ data: [{ ...project, created_at: "2026-03-01T00:00:00.000Z" }] })
    expect(response.headers.get("access-control-allow-origin")).toBe(null)
    await ask(app, "GET", `/dev/projects?id=${project.id}`, { headers: here })
    const malformed = await ask(app, "GET", "/dev/projects?id=%00", { headers: here })
    expect(await malformed.json()).toEqual({ data: [] })
    expect(asked).toEqual([null, project.id])
  })

  it("leave no token of a link in the log", async () => {
    const { app, log } = development()
    await ask(app, "GET", "/auth/verify?token=canary-7c1f", { headers: here })
    expect(log.lines).toHaveLength(1)
    expect(JSON.stringify(log.lines)).not.toContain("canary")
  })
})

describe("html", () => {
  it("escapes what is put into it, and keeps what is HTML already", () => {
    const inner = html`<i title="${`"'&`}">${"<script>"}</i>`
    expect(html`<p>${inner}${[inner, inner]}${5}</p>`.safe).toBe(
      `<p>${'<i title="&quot;&#39;&amp;">&lt;script&gt;</i>'.repeat(3)}5</p>`,
    )
  })
})
