import { mkdirSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type SeededProject, seed } from "../../src/seed/run-seed.ts"
import { aDeveloper } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, shapes } from "./browser.ts"

const folder = fileURLToPath(new URL("screens/", import.meta.url))

/** A page of the example project: its path, what is on it once it is read, and the name of its picture. */
const pagesOf = ({ users: [ada] }: SeededProject) =>
  [
    ["overview", "Overview", "overview"],
    ["users", "Chiara", "users"],
    [`users/${ada?.id}?tab=streaks`, "Daily lesson", "user-streaks"],
    [`users/${ada?.id}?tab=progress`, "Fluent", "user-progress"],
    [`users/${ada?.id}?tab=wallets`, "Ledger", "user-wallets"],
    ["feed", "Remove", "feed"],
    ["streaks/new", "Event that counts", "streak-new"],
    ["xp", "What events are worth", "xp"],
    ["catalog", "A hat for the owl", "catalog"],
    ["groups", "Early birds", "groups"],
    ["conversations", "owl will wake you", "conversations"],
    ["moderation", "Nothing waits for you", "moderation"],
    ["campaigns/new", "Title", "campaign-new"],
    ["start", "Get started", "start"],
    ["members", "owner", "members"],
    ["keys", "pk_", "keys"],
    ["settings", "Danger zone", "settings"],
  ] as const

// What a button may say to who only reads.
const reads =
  /^(Pause|Refresh|Export|Save|Look further|Show more|Previous|Next|Copy|Verify|Try|Open|Filter|Stop|Keys|7 days|24 hours)/

/**
 * Looks at pages of an example project, each at the widths and in the schemes of `shapes`. The pictures are kept in
 * `packages/server/test/console/screens/`, which git ignores, for people to look at.
 */
describe.skipIf(!hasChromium)("the pages of the console", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser
  let project: SeededProject

  beforeAll(async () => {
    mkdirSync(folder, { recursive: true })
    server = await harness.server({ DATA_DIR: harness.folder() })
    const [made, opened] = await Promise.all([seed(server.url, "Lingua", Date.now()), openBrowser()])
    project = made
    browser = opened
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  it.each(shapes)("have no fault at $width px, $scheme", async (shape) => {
    const opened = await openConsole(browser, server, project.account, "", shape)
    const { page } = opened
    for (const [path, sign, name] of pagesOf(project)) {
      await page.goto(`${server.url}/console/projects/${project.id}/${path}`)
      await page.getByRole("main").getByText(sign).first().waitFor()
      await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0)
      await page.screenshot({ path: `${folder}${name}-${shape.width}-${shape.scheme}.png`, fullPage: true })
      await expectGood(opened, shape.width).catch((problem: unknown) => {
        throw new Error(`The page ${path} has a fault.`, { cause: problem })
      })
    }
    await opened.close()
  })

  it("show everything to a viewer, and nothing that writes", async () => {
    const viewer = await aDeveloper(server.api)
    const { access_token } = await server.api.ok<{ access_token: string }>(
      "POST",
      "/auth/developer/login",
      {},
      project.account,
    )
    const owner = { authorization: `Bearer ${access_token}` }
    const path = `/admin/projects/${project.id}`
    await server.api.ok("POST", `${path}/members`, owner, { email: viewer.email, role: "viewer" })
    const opened = await openConsole(browser, server, viewer, `projects/${project.id}/overview`)
    const { page } = opened
    const writes: Array<string> = []
    page.on("request", (request) => {
      if (request.method() !== "GET" && request.url().includes(path))
        writes.push(`${request.method()} ${request.url()}`)
    })
    const main = page.getByRole("main")
    const found: Array<string> = []
    const look = async () => {
      await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0)
      const buttons = (await main.getByRole("button").allTextContents()).filter((name) => !reads.test(name))
      const links = await main.locator("a[href$='/new'], a[href$='/edit']").allTextContents()
      const empty = (await main.locator("tbody button").count()) === 0
      const columns = empty ? await main.getByRole("columnheader", { name: "Actions" }).allTextContents() : []
      found.push(...[...buttons, ...links, ...columns].map((name) => `${page.url()}: ${name}`))
    }
    for (const name of await page.getByRole("navigation").getByRole("link").allTextContents()) {
      await page.getByRole("navigation").getByRole("link", { name, exact: true }).click()
      await main.getByRole("heading", { name, level: 1, exact: true }).waitFor()
      await look()
      const first = main.locator("tbody tr").first().getByRole("link").first()
      if ((await first.count()) === 0) continue
      await first.click()
      await main.getByRole("heading", { name, level: 1, exact: true }).waitFor({ state: "detached" })
      await main.getByRole("heading", { level: 1 }).waitFor()
      await look()
    }
    // What is refused is a problem, too: the browser writes it into its console.
    expect([found, writes, opened.problems]).toEqual([[], [], []])
    await opened.close()
  })
})
