import { hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aStreak, type TestDeveloper, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, readFocus, shapes } from "./browser.ts"

describe.skipIf(!hasChromium)("the forms and lists of the console", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    browser = await openBrowser()
    project = await aProject(server.api)
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  const open = (path: string, by: TestDeveloper = project.owner) =>
    openConsole(browser, server, by, `projects/${project.id}/${path}`)

  it("leave who types on while a new one is made with what they type, and go to it with the next save", async () => {
    const opened = await open("streaks/new")
    const { page } = opened
    const name = page.getByLabel("Name")
    let answer = () => {}
    const isSlow = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route("**/streaks", async (route) => {
      await isSlow
      await route.continue()
    })
    await name.fill("Lessons")
    await page.getByLabel("Event that counts").fill("lesson_completed")
    await page.getByRole("button", { name: "Make the streak" }).click()
    await name.fill("Lessons of the day")
    answer()
    await page.getByText("Saved.").waitFor()
    await page.getByRole("button", { name: "Save", exact: true }).waitFor()
    expect(await page.getByRole("alertdialog").count()).toBe(0)
    expect(await name.inputValue()).toBe("Lessons of the day")
    await page.getByRole("button", { name: "Save", exact: true }).click()
    await page.getByRole("heading", { name: "Lessons of the day", level: 1 }).waitFor()
    await page.waitForURL(/\/streaks\/[0-9a-f-]{36}$/)
    expect(opened.problems).toEqual([])
    await opened.close()
  })

  it("leave what is reached by keyboard in sight, above the bar that saves", async () => {
    const opened = await open("streaks/new", project.owner)
    const { page } = opened
    const covered: Array<string> = []
    for (const height of [500, 844]) {
      await page.setViewportSize({ width: 390, height })
      await page.evaluate("scrollTo(0, 0)")
      await page.getByLabel("Name").fill(`${height}`)
      for (let pressed = 0; pressed < 8; pressed += 1) {
        await page.keyboard.press("Tab")
        const isCovered = await page.evaluate(`{
          const [field, bar] = [document.activeElement, document.querySelector(".save.unsaved")]
          !bar.contains(field) && field.getBoundingClientRect().bottom > bar.getBoundingClientRect().top
        }`)
        if (isCovered) covered.push(`${height}: ${await readFocus(opened)}`)
      }
    }
    expect(covered).toEqual([])
    await opened.close()
  })

  it("lead to what is wrong also where it has no field of its own", async () => {
    const opened = await open("onboarding/new")
    const { page } = opened
    await page.getByLabel("Name").fill("Welcome")
    await page.getByLabel("Step 1", { exact: true }).fill("{")
    await page.getByRole("button", { name: "Make the flow" }).click()
    await page.getByText("step 1 is not JSON").waitFor()
    expect(await page.evaluate("document.activeElement.value")).toBe("{")
    await opened.close()
  })

  it("show the last page where an address leads beyond it", async () => {
    const many = await aProject(server.api, project.owner)
    for (let made = 0; made < 51; made += 1) await aStreak(server.api, many, { name: `Streak ${made}` })
    const opened = await openConsole(browser, server, many.owner, `projects/${many.id}/streaks?offset=100`)
    const { page } = opened
    await page.getByText("51–51 of 51").waitFor()
    expect(await page.locator("tbody tr").count()).toBe(1)
    expect(new URL(page.url()).search).toBe("?offset=50")
    await opened.close()
  })

  it("say why the search could not look for users", async () => {
    const opened = await open("streaks")
    const { page } = opened
    await page.keyboard.press("Control+k")
    await page.locator("[role=combobox]:focus").waitFor()
    await page.keyboard.insertText("x".repeat(300))
    await page.getByText("search must be at most 255 characters.").waitFor()
    expect(await page.getByText("Nothing is found.").count()).toBe(0)
    await page.locator("[role=combobox]").fill("no such thing")
    await page.getByText("Nothing is found.").waitFor()
    await opened.close()
  })

  it("name no button that a viewer does not have, and what is needed first", async () => {
    const viewer = await aDeveloper(server.api)
    await server.api.ok("POST", `${project.admin}/members`, project.owner.as, { email: viewer.email, role: "viewer" })
    const seen = await open("links", viewer)
    await seen.page.getByText("A link leads into your app").waitFor()
    expect(await seen.page.getByText("New link").count()).toBe(0)
    await seen.close()

    const opened = await open("schedules/new")
    await opened.page.getByText("There is no library yet").waitFor()
    await expectGood(opened, shapes[0].width)
    expect(await readFocus(opened)).not.toBe("")
    await opened.close()
  })
})
