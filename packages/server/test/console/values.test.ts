import { hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aStreak, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, shapes } from "./browser.ts"

// As wide as a name can be, without a place to break it.
const longName = "W".repeat(60)
// What follows it in the same line is read from right to left, unless it is kept apart.
const turningName = "Gold \u202E"

describe.skipIf(!hasChromium)("what people have written", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser
  let project: TestProject
  let userId: string
  let groupId: string
  let libraryId: string

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    browser = await openBrowser()
    project = await aProject(server.api)
    const admin = (method: string, path: string, body: object) =>
      server.api.ok<{ id: string }>(method, `${project.admin}${path}`, project.owner.as, body)
    await aStreak(server.api, project, { name: longName })
    const user = await aUser(server.api, project)
    userId = user.id
    await server.api.ok("PATCH", "/client/users/me", user.as, { display_name: longName })
    await server.api.ok("POST", "/client/events", user.as, { event_name: "lesson_completed" })
    groupId = (await server.api.ok<{ id: string }>("POST", "/client/groups", user.as, { name: longName })).id
    await admin("POST", "/segments", { name: longName, rules: { operator: "AND", conditions: [] } })
    await admin("POST", "/currencies", { code: "GOLD", name: turningName })
    await admin("POST", "/catalog/items", { key: "crown", name: "A crown", prices: { GOLD: 1_234_567 } })
    libraryId = (await admin("POST", "/content/libraries", { name: "Tips" })).id
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  const open = (path: string, by = project.owner) => openConsole(browser, server, by, `projects/${project.id}/${path}`)

  it.each(shapes)("makes no page wider than $width px, however long it is", async (shape) => {
    const opened = await openConsole(browser, server, project.owner, "", shape)
    const main = opened.page.getByRole("main")
    const look = async (path: string, name: string) => {
      await opened.page.goto(`${server.url}/console/projects/${project.id}/${path}`)
      await main.getByRole("heading", { name, level: 1 }).waitFor()
      await expect.poll(() => opened.page.locator("[aria-busy=true]").count()).toBe(0)
      await expectGood(opened, shape.width)
    }
    await look("users", "Users")
    await look(`users/${userId}?tab=streaks`, longName)
    await main.getByRole("heading", { name: longName, level: 2 }).waitFor()
    await expectGood(opened, shape.width)
    await look(`groups/${groupId}`, longName)
    await opened.close()
  })

  it("turns nothing around that stands beside it", async () => {
    const opened = await open(`users/${userId}?tab=wallets`)
    await opened.page.getByText("(GOLD)").waitFor()
    // Where the letters stand: the code is read from left to right, behind the name.
    const places = (await opened.page.evaluate(`{
      const cell = [...document.querySelectorAll("td")].find(({ textContent }) => textContent.includes("(GOLD)"))
      const texts = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      const found = {}
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        for (let at = 0; at < text.data.length; at += 1) {
          const range = document.createRange()
          range.setStart(text, at)
          range.setEnd(text, at + 1)
          found[text.data[at]] = range.getBoundingClientRect().left
        }
      }
      Array.from("d(GOLD)", (letter) => found[letter])
    }`)) as ReadonlyArray<number>
    expect(places).toEqual(places.toSorted((one, other) => one - other))
    await opened.close()
  })

  it("has its numbers in groups, its words as they are said, and no null", async () => {
    const opened = await open("catalog")
    const { page } = opened
    await page.getByText("1,234,567 GOLD").waitFor()
    await page.goto(`${server.url}/console/projects/${project.id}/users/${userId}?tab=streaks`)
    await page.getByText("It has not broken in the last 1 period.").waitFor()
    await opened.close()
    const viewer = await aDeveloper(server.api)
    await server.api.ok("POST", `${project.admin}/members`, project.owner.as, { email: viewer.email, role: "viewer" })
    const seen = await open(`libraries/${libraryId}`, viewer)
    await seen.page.getByText("Schema of its items").waitFor()
    expect(await seen.page.getByRole("main").textContent()).not.toContain("null")
    await seen.close()
  })
})
