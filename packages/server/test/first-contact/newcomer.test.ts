import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHarness, type TestServer } from "../harness/harness.ts"

const root = join(import.meta.dirname, "../../../..")

/** A newcomer has started it in an empty folder, and tries each address that is named to them. The README's steps: `quick-start.test.ts`. */
describe("the first minutes of a newcomer", () => {
  const harness = makeHarness()
  let server: TestServer

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
  })
  afterAll(harness.clear)

  const read = async (path: string, accept: string) => {
    const response = await fetch(new URL(path, server.url), { headers: { accept } })
    return { status: response.status, type: response.headers.get("content-type") ?? "", text: await response.text() }
  }
  const linksOf = (html: string) => [...html.matchAll(/ href="(\/[^"#]*)"/g)].map(([, path = ""]) => path)

  it("finds something at every address that the start prints", async () => {
    const addresses = [...server.output().matchAll(/^ +\S.*? +(http:\S+)$/gm)].map(([, address = ""]) => address)
    expect(addresses.length).toBeGreaterThan(1)
    for (const address of addresses) {
      const { status, text } = await read(address, "text/html")
      // The API itself is no page: it says so, and where to go.
      expect([200, 404], `${address}: ${text}`).toContain(status)
    }
  })

  it("is told by the package's README a command that there is", async () => {
    const readme = readFileSync(join(root, "packages/server/README.md"), "utf8")
    const commands = [...readme.matchAll(/^npx @hearth\/server (\S+)$/gm)].map(([, command = ""]) => command)
    expect(commands).not.toEqual([])
    const help = harness.launch("hearth", { args: ["--help"] })
    expect((await help.ended).code).toBe(0)
    for (const command of commands) expect(help.output()).toMatch(new RegExp(`^ {2}${command} `, "m"))
  })

  it("is led on from the root, as a person and as a program", async () => {
    const page = await read("/", "text/html")
    expect(page.type).toMatch(/^text\/html/)
    const links = linksOf(page.text)
    expect(links).toEqual(expect.arrayContaining(["/docs", "/openapi.json"]))
    for (const link of links) expect((await read(link, "text/html")).status, link).toBe(200)

    const { data } = JSON.parse((await read("/", "application/json")).text)
    for (const path of Object.values<string>(data.links).filter((path) => path !== "/v1"))
      expect((await read(path, "*/*")).status, path).toBe(200)
  })

  it("is told what is wrong, and what to do", async () => {
    const error = async (path: string, init: RequestInit = {}) => {
      const response = await fetch(new URL(path, server.url), init)
      return ((await response.json()) as { error: { message: string } }).error.message
    }
    const json = { "content-type": "application/json" }
    expect(await error("/v1/admin/project")).toMatch(/\/v1\/admin\/projects/)
    expect(await error("/v1/client/users/me")).toMatch(/X-Api-Key/)
    expect(await error("/v1/admin/projects")).toMatch(/Authorization/i)
    const signup = "/v1/auth/developer/signup"
    expect(await error(signup, { method: "POST", body: "{}" })).toMatch(/application\/json/)
    expect(await error(signup, { method: "POST", headers: json, body: '{"email": }' })).toMatch(/line 1, column 11/)
    expect(await error(signup, { method: "POST", headers: json, body: "{}" })).toMatch(
      /email is required.*password is required/,
    )
  })
})
