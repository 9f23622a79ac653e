import {
  type BrowserPage,
  hasChromium,
  openBrowser,
  type PageOptions,
  type TestBrowser,
} from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, pressTo, readFocus, shapes } from "./browser.ts"

const [wide] = shapes

describe.skipIf(!hasChromium)("what surrounds the pages of the console", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser
  let project: TestProject
  let other: TestProject
  let dataDir: string

  beforeAll(async () => {
    dataDir = harness.folder()
    server = await harness.server({ DATA_DIR: dataDir })
    browser = await openBrowser()
    project = await aProject(server.api)
    other = await aProject(server.api, project.owner)
    const as = project.owner.as
    await server.api.ok("PATCH", other.admin, as, { name: "The other app" })
    await server.api.ok("POST", `${project.admin}/content/libraries`, as, { name: "Winter tips" })
    await server.api.ok("POST", `${project.admin}/currencies`, as, { code: "COINS", name: "Coins" })
    const { id } = await aUser(server.api, project)
    await sqlIn(dataDir).rows(
      project.id,
      "update app_users set email = 'ada@example.com', display_name = 'Ada L' where id = $1",
      [id],
    )
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  const open = (path: string, shape?: PageOptions) =>
    openConsole(browser, server, project.owner, `projects/${project.id}/${path}`, shape)
  const heading = ({ page }: BrowserPage, name: string) => page.getByRole("heading", { name, level: 1, exact: true })

  it.each(shapes)("leads anywhere by keyboard, at $width px", async (shape) => {
    const opened = await open("streaks", shape)
    const { page } = opened
    const isAt = (says: string) => expect.poll(() => readFocus(opened)).toBe(says)
    const search = async (words: string, option: string) => {
      await page.keyboard.press("Control+k")
      await page.locator("[role=combobox]:focus").waitFor()
      await page.keyboard.type(words)
      const found = page.getByRole("option", { name: option }).first()
      await expect.poll(() => found.getAttribute("data-highlighted")).toBe("")
    }
    await search("librar con", "Libraries")
    await expectGood(opened, shape.width)
    await page.keyboard.press("Enter")
    await isAt("Libraries")
    // A page by its whole name comes before others that have it in theirs.
    await search("moderation", "Moderation")
    await page.keyboard.press("Enter")
    await isAt("Moderation")
    // What is found by the service comes later than what the console knows itself.
    await search("winter", "Winter tips")
    await page.keyboard.press("Enter")
    await heading(opened, "Winter tips").waitFor()
    await search("ada@example", "ada@example.com")
    await expectGood(opened, shape.width)
    await page.keyboard.press("Enter")
    await heading(opened, "Ada L").waitFor()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("no such thing at all")
    await page.getByText("Nothing is found.").waitFor()
    await expectGood(opened, shape.width)
    await page.keyboard.press("Escape")
    await page.getByRole("dialog").waitFor({ state: "detached" })

    if (shape === shapes[1]) {
      await pressTo(opened, "To the page", "Shift+Tab")
      await page.keyboard.press("Enter")
      await isAt("Ada L")
      await pressTo(opened, "Menu", "Shift+Tab")
      // The menu opens at the page that is shown, and gives way to the one that is chosen.
      await page.keyboard.press("Enter")
      await isAt("Users")
      await page.keyboard.press("Escape")
      await isAt("Menu")
      await page.keyboard.press("Enter")
      await pressTo(opened, "Groups")
      await page.keyboard.press("Enter")
      await page.locator("h1:focus", { hasText: "Groups" }).waitFor()
    }
    await page.getByRole("button", { name: "choose another" }).focus()
    await page.keyboard.press("Enter")
    await page.getByRole("menuitem", { name: "All projects" }).waitFor()
    await expectGood(opened, shape.width)
    await page.keyboard.type("The")
    await page.keyboard.press("Enter")
    await page.waitForURL(`**/projects/${other.id}/overview`)
    await page.getByRole("button", { name: "Project The other app" }).waitFor()
    await opened.close()
  })

  it.each(shapes)("keeps the colours that were chosen, and knows no page, at $width px", async (shape) => {
    const opened = await open("nowhere", shape)
    const { page } = opened
    const [chosen, label, background] =
      shape.scheme === "light" ? ["dark", "Dark", "rgb(22, 20, 15)"] : ["light", "Light", "rgb(251, 250, 249)"]
    const shown = () => page.evaluate("getComputedStyle(document.body).backgroundColor")
    await heading(opened, "There is no such page").waitFor()
    expect(await shown()).not.toBe(background)
    await page.getByRole("button", { name: "Colours" }).click()
    await page.getByRole("menuitem", { name: "As the device" }).waitFor()
    await expectGood(opened, shape.width)
    await page.getByRole("menuitem", { name: label, exact: true }).click()
    expect(await shown()).toBe(background)
    await page.reload()
    await page.getByRole("button", { name: `Colours: ${label}` }).waitFor()
    await heading(opened, "There is no such page").waitFor()
    expect(await page.evaluate("document.documentElement.dataset.theme")).toBe(chosen)
    expect(await shown()).toBe(background)
    await expectGood(opened, shape.width)
    await page.getByRole("link", { name: "To the overview of this project" }).click()
    await page.waitForURL(`**/projects/${project.id}/overview`)

    await page.goto(`${server.url}/console/no/page`)
    await heading(opened, "There is no such page").waitFor()
    await expectGood(opened, shape.width)
    await page.getByRole("link", { name: "To the projects" }).click()
    await page.getByRole("link", { name: "The other app" }).waitFor()
    await opened.close()
  })

  it("asks who was signed out to sign in again, over what they have typed", async () => {
    const opened = await open("streaks/new")
    const { page } = opened
    await page.getByLabel("Name").fill("Every day")
    // As after a revocation: neither of the two tokens is taken any more.
    const key = `hearth.developer.${server.url}`
    const { refreshToken } = JSON.parse(String(await page.evaluate(`localStorage.getItem("${key}")`)))
    await server.api.ok("POST", "/auth/developer/logout", {}, { refresh_token: refreshToken })
    await page.route("**/v1/admin/**", async (route) => {
      const headers = { ...route.request().headers(), authorization: "Bearer spoiled" }
      await route.continue({ headers })
    })
    await page.getByRole("button", { name: "Make the streak" }).click()
    const dialog = page.getByRole("alertdialog", { name: "Your session has ended" })
    await dialog.waitFor()
    await page.unrouteAll()
    // The browser writes every refusal into its console.
    const expected = opened.problems.filter((problem) => problem.includes(" 401 "))
    expect(expected).toEqual(opened.problems)
    const quiet = { ...opened, problems: [] }
    await expectGood(quiet, wide.width)
    await page.keyboard.press("Escape")
    await dialog.getByLabel("Email").fill(project.owner.email)
    await dialog.getByLabel("Password").fill(project.owner.password)
    await page.keyboard.press("Enter")
    await dialog.waitFor({ state: "detached" })
    expect(await page.getByLabel("Name").inputValue()).toBe("Every day")
    await page.getByLabel("Event that counts").fill("lesson")
    await page.getByRole("button", { name: "Make the streak" }).click()
    await heading(opened, "Every day").waitFor()
    await opened.close()
  })

  it("says of a project that one may not see that there is none, and shows no page of it", async () => {
    const opened = await open("streaks")
    const { page } = opened
    const stranger = await aProject(server.api)
    await page.goto(`${server.url}/console/projects/${stranger.id}/overview`)
    await heading(opened, "There is no such project").waitFor()
    await page.waitForLoadState("networkidle")
    expect(await page.getByText("There is no project with this id among yours.").count()).toBe(1)
    expect(await heading(opened, "Overview").count()).toBe(0)
    await page.getByRole("link", { name: "To the projects" }).click()
    await heading(opened, "Projects").waitFor()
    await opened.close()
  })

  it("makes a call that fails alone again after pauses that grow, and says nothing of the service", async () => {
    const opened = await open("streaks")
    const { page } = opened
    await page.clock.install()
    // When the page asked for what, by its own clock, which goes on by itself, too, and stands where the machine does.
    await page.addInitScript(`
      globalThis.asked = []
      const { fetch } = globalThis
      globalThis.fetch = (request, ...rest) => {
        globalThis.asked.push({ at: Date.now(), path: new URL(request.url ?? request, location).pathname })
        return fetch(request, ...rest)
      }`)
    // As a browser does that blocks what is called like this.
    await page.route("**/analytics/**", (route) => route.abort())
    await page.goto(`${server.url}/console/projects/${project.id}/overview`)
    const list = async (end: string) =>
      (await page.evaluate<ReadonlyArray<{ at: number; path: string }>>("asked")).flatMap(({ at, path }) =>
        path.endsWith(end) ? [at] : [],
      )
    const firstAfter = async (end: string, time: number) => (await list(end)).find((at) => at > time) ?? null
    let read = 0
    for (const seconds of [2, 4, 8]) {
      // The first call that fails begins the pause; others that fail have the service asked for, too.
      await expect.poll(() => firstAfter("/health/live", read)).not.toBeNull()
      const from = (await firstAfter("/health/live", read)) ?? Number.NaN
      const next = () => firstAfter(project.admin, from)
      while ((await next()) === null) await page.clock.runFor(500)
      read = (await next()) ?? Number.NaN
      expect(read - from).toBeGreaterThan(seconds * 1_000 - 500)
    }
    expect(await page.getByText("The service has not answered since").count()).toBe(0)
    await opened.close()
  })

  it("says so for as long as the service is down behind a proxy that keeps its health from strangers", async () => {
    const opened = await open("currencies")
    const { page } = opened
    const html = { contentType: "text/html", body: "<h1>Sorry</h1>" }
    await page.route("**/health/live", (route) => route.fulfill({ status: 404, ...html }))
    for (const path of ["**/v1/**", "**/console"])
      await page.route(path, (route) => route.fulfill({ status: 502, ...html }))
    const down = page.getByText("The service has not answered since")
    await page.getByRole("link", { name: "Stores" }).click()
    await down.waitFor()
    const since = await down.textContent()
    for (let looks = 0; looks < 2; looks += 1) await page.waitForResponse("**/console")
    expect(await down.textContent()).toBe(since)
    for (const path of ["**/v1/**", "**/console"]) await page.unroute(path)
    await down.waitFor({ state: "detached" })
    await opened.close()
  })

  it("says that the service is down, and goes on without a reload when it is back", async () => {
    const opened = await open("currencies")
    const { page } = opened
    await page.getByRole("link", { name: "Coins" }).click()
    await page.getByLabel("Name").fill("Gold coins")
    await page.evaluate("window.isSame = true")
    const down = page.getByText("The service has not answered since")
    const before = opened.problems.length
    await server.end("SIGKILL")
    await page.getByRole("button", { name: "Save" }).click()
    await down.waitFor()
    const quiet = { ...opened, problems: [] }
    await expectGood(quiet, wide.width)
    // The client sends it twice more by itself: a service that is back within a second would have it saved.
    await page.locator("form.editor [aria-busy=false]", { hasText: "Save" }).waitFor()
    server = await harness.server({ DATA_DIR: dataDir, PORT: new URL(server.url).port })
    await down.waitFor({ state: "detached" })
    expect(opened.problems.slice(before).filter((problem) => !problem.includes("ERR_"))).toEqual([])
    expect(await page.getByLabel("Name").inputValue()).toBe("Gold coins")
    await page.getByRole("button", { name: "Save" }).click()
    await heading(opened, "Gold coins").waitFor()
    expect(await page.evaluate("window.isSame")).toBe(true)
    const as = project.owner.as
    expect(await server.api.ok("GET", `${project.admin}/currencies`, as)).toMatchObject([{ name: "Gold coins" }])
    await opened.close()
  })
})
