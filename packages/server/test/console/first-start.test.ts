import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { type BrowserPage, hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, shapes } from "./browser.ts"

const run = promisify(execFile)

/** Opens every page of the menu, and comes back to the first one: whatever is refused is a problem. */
const walk = async (page: BrowserPage["page"]) => {
  const menu = page.getByRole("navigation").getByRole("link")
  for (const name of [...(await menu.allTextContents()), "Get started"]) {
    await menu.and(page.getByRole("link", { name, exact: true })).click()
    await page.getByRole("main").getByRole("heading", { name, level: 1, exact: true }).waitFor()
    await expect.poll(() => page.locator("[aria-busy=true]").count()).toBe(0)
  }
}

describe.skipIf(!hasChromium)("the console of an empty installation", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  it.each(shapes)("leads from an account to the first project at $width px", async (shape) => {
    const opened = await browser.open(`${server.url}/console`, shape)
    const { page } = opened
    await page.getByRole("button", { name: "Make an account" }).click()
    await expectGood(opened, shape.width)
    await page.getByLabel("Email").fill(`first-${shape.width}@example.com`)
    await page.getByLabel("Password").fill("a long password")
    await page.getByRole("button", { name: "Make the account" }).click()
    await page.getByText("There is no project yet.").waitFor()
    await expectGood(opened, shape.width)
    await page.getByRole("button", { name: "New project" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill("My app")
    await expectGood(opened, shape.width)
    await dialog.getByRole("button", { name: "New project" }).click()
    const code = (await page.locator("pre").first().textContent()) ?? ""
    expect(await page.getByText("owner").count()).toBe(1)
    if (shape === shapes[0]) await walk(page)
    expect(await page.getByText("No event has arrived yet").count()).toBe(1)
    await expectGood(opened, shape.width)
    // As a newcomer would: the code of the page, in a shell.
    expect((await run("sh", ["-c", code])).stdout).toContain('"inserted":1')
    await page.getByText("The first event has arrived").waitFor()
    await expectGood(opened, shape.width)
    await opened.close()
  })
})
