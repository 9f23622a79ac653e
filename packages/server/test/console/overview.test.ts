import { hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, shapes } from "./browser.ts"

describe.skipIf(!hasChromium)("the console's look at a project", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  const open = (path: string, shape: (typeof shapes)[number] = shapes[0]) =>
    openConsole(browser, server, project.owner, `projects/${project.id}/${path}`, shape)

  it("tells an empty project what to do, and counts what happens then", async () => {
    const opened = await open("overview")
    const { page } = opened
    await page.getByText("Nobody has used this project yet.").waitFor()
    await expectGood(opened, shapes[0].width)
    const { as } = await aUser(server.api, project)
    await server.api.ok("POST", "/client/sessions/start", as, { session_id: "one" })
    await server.api.ok("POST", "/client/events", as, { events: [{ event_name: "lesson_completed" }] })
    await page.reload()
    await page.getByRole("link", { name: "1 active today" }).waitFor()
    await page.getByRole("link", { name: "1 new users, 30 days" }).waitFor()
    expect(await page.getByText("Nobody has used this project yet.").count()).toBe(0)
    await page.getByLabel("Last").selectOption("12m")
    await page.getByRole("link", { name: /events, 90 days/ }).waitFor()
    await expect.poll(() => page.url()).toContain("range=12m")
    await page.getByText("Sessions by day, as a table").click()
    const today = new Date().toISOString().slice(0, 10)
    await page.getByRole("region", { name: "Sessions by day" }).getByText(today).waitFor()
    await page.getByRole("cell", { name: "100%" }).waitFor()
    await expectGood(opened, shapes[0].width)
    await opened.close()
    const narrow = await open("overview?range=7d", shapes[1])
    await narrow.page.getByRole("link", { name: "1 new users, 7 days" }).waitFor()
    await expectGood(narrow, shapes[1].width)
    await narrow.page.getByRole("link", { name: /active today/ }).click()
    await narrow.page.getByRole("heading", { name: "Users" }).waitFor()
    await narrow.close()
  })
})
