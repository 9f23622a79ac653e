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
  const dataDir = harness.folder()

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: dataDir })
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
    await server.api.ok("POST", "/client/events", as, { events: [{ event_name: "lesson_completed" }] })
    const start = { session_id: "one" }
    const { started_at } = await server.api.ok<{ started_at: string }>("POST", "/client/sessions/start", as, start)
    // The page says what there is today: its day must not end between the session and the look at it.
    await page.clock.setFixedTime(new Date(Date.parse(started_at) + 1))
    await page.reload()
    await page.getByRole("link", { name: "1 active today" }).waitFor()
    await page.getByRole("link", { name: "1 new users, 30 days" }).waitFor()
    expect(await page.getByText("Nobody has used this project yet.").count()).toBe(0)
    await page.getByLabel("Last").selectOption("12m")
    await page.getByRole("link", { name: /events, 90 days/ }).waitFor()
    await expect.poll(() => page.url()).toContain("range=12m")
    await page.getByText("Sessions by day, as a table").click()
    await page.getByRole("region", { name: "Sessions by day" }).getByText(started_at.slice(0, 10)).waitFor()
    await page.getByRole("cell", { name: "100%" }).waitFor()
    await expectGood(opened, shapes[0].width)
    await opened.close()
    const narrow = await open("overview?range=7d", shapes[1])
    await narrow.page.getByRole("link", { name: "1 new users, 7 days" }).waitFor()
    await narrow.page.getByRole("link", { name: "0 waiting in the queue" }).waitFor()
    await expectGood(narrow, shapes[1].width)
    await narrow.page.getByLabel("Last").selectOption("24h")
    await narrow.page.getByText("Events and users by hour, as a table").click()
    await narrow.page.getByRole("region", { name: "Events and users by hour" }).getByRole("cell").first().waitFor()
    await expectGood(narrow, shapes[1].width)
    await narrow.page.getByRole("link", { name: /active today/ }).click()
    await narrow.page.getByRole("heading", { name: "Users" }).waitFor()
    await narrow.close()
  })

  it("shows what was refused, with what to do, narrowed by code and status", async () => {
    const { as } = await aUser(server.api, project)
    await server.api.call("POST", "/client/events", { ...as, "x-request-id": "refused-1" }, {})
    await server.api.call("GET", `${project.admin}/users/nobody`, project.owner.as)
    const opened = await open("refusals")
    const { page } = opened
    const row = (text: string) => page.getByRole("row").filter({ hasText: text })
    await row("refused-1").getByText("event_name is required.").waitFor()
    await row("refused-1").getByText("Send a name of 1 to 255 characters").waitFor()
    await row("GET /admin/projects/:projectId/users/:userId").getByText("by a developer").waitFor()
    await expectGood(opened, shapes[0].width)
    await page.getByLabel("Status").selectOption("404")
    await row("refused-1").waitFor({ state: "detached" })
    await page.getByLabel("Code").fill("invalid_event_name")
    await page.getByLabel("Code").press("Enter")
    await page.getByText("No such call was refused.").waitFor()
    await opened.close()
    const narrow = await open("refusals?code=INVALID_EVENT_NAME", shapes[1])
    await narrow.page.getByRole("row").filter({ hasText: "refused-1" }).waitFor()
    await server.api.call("POST", "/client/events", { ...as, "x-request-id": "refused-2" }, {})
    await narrow.page.getByRole("button", { name: "Refresh" }).click()
    await narrow.page.getByRole("row").filter({ hasText: "refused-2" }).getByText("2", { exact: true }).waitFor()
    await expectGood(narrow, shapes[1].width)
    await narrow.close()
  })

  it("shows events as they come, holds them, narrows them, and goes on after an outage", async () => {
    const { as } = await aUser(server.api, project)
    const send = (event_name: string) =>
      server.api.ok("POST", "/client/events", as, { event_name, properties: { score: 87 } })
    await send("stored_before")
    const opened = await open("events")
    const { page } = opened
    const fresh = page.getByRole("region", { name: "New events" })
    const line = (name: string) => fresh.getByRole("listitem").filter({ hasText: name })
    const isLive = () => page.getByText("live", { exact: true }).waitFor()
    await isLive()
    await page.getByRole("region", { name: "Events before" }).getByText("stored_before").waitFor()
    await send("came_live")
    await line("came_live").waitFor()
    await expectGood(opened, shapes[0].width)

    await line("came_live").getByText("came_live").click()
    await line("came_live").getByRole("region", { name: "Properties" }).getByText('"score": 87').waitFor()
    await page.getByText("live, paused").waitFor()
    await expectGood(opened, shapes[0].width)
    await send("came_in_pause")
    await page.getByRole("button", { name: "Resume (1 new)" }).waitFor()
    expect(await line("came_in_pause").count()).toBe(0)
    await page.getByRole("button", { name: "Resume (1 new)" }).click()
    await line("came_in_pause").waitFor()

    await page.emulateMedia({ reducedMotion: "reduce" })
    await page.getByLabel("Name of the event").fill("wanted")
    await page.getByRole("button", { name: "Filter" }).click()
    await expect.poll(() => page.url()).toContain("event_name=wanted")
    await page.getByText("No such event is stored.").waitFor()
    await isLive()
    await send("unwanted")
    await send("wanted")
    await line("wanted").waitFor()
    expect(await fresh.getByRole("listitem").count()).toBe(1)

    await server.end("SIGKILL")
    await page.getByText("reconnecting …").waitFor()
    server = await harness.server({ DATA_DIR: dataDir, PORT: new URL(server.url).port })
    await send("wanted")
    await isLive()
    await expect.poll(() => line("wanted").count()).toBe(2)
    await page.setViewportSize(shapes[1])
    const good = { ...opened, problems: opened.problems.filter((problem) => !problem.includes("ERR_")) }
    await expectGood(good, shapes[1].width)
    await opened.close()
  })
})
