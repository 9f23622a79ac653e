import { hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, shapes } from "./browser.ts"

const pixel = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
)

describe.skipIf(!hasChromium)("the content of a project in the console", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser
  let project: TestProject

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    browser = await openBrowser()
    project = await aProject(server.api)
    const settings = { fallback_url: "https://example.com/" }
    await server.api.ok("PUT", `${project.admin}/deep-links/config`, project.owner.as, settings)
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  const open = (path: string, shape: (typeof shapes)[number]) =>
    openConsole(browser, server, project.owner, `projects/${project.id}/${path}`, shape)

  it.each(shapes)("takes files into a folder, and shows them, at $width px", async (shape) => {
    const opened = await open("media", shape)
    const { page } = opened
    const folder = `Pictures ${shape.width}`
    await page.getByRole("button", { name: "New folder" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Name").fill(folder)
    await dialog.getByRole("button", { name: "New folder" }).click()
    await page.getByRole("link", { name: folder }).click()
    await page.getByText("There is no file here.").waitFor()
    const chooser = page.waitForEvent("filechooser")
    await page.getByRole("button", { name: "Choose files" }).click()
    await (await chooser).setFiles([
      { name: "a.png", mimeType: "image/png", buffer: pixel },
      { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("hello") },
    ])
    await page.getByText("2 of 2 ended").waitFor()
    const files = page.getByRole("list", { name: "Files" })
    await files.getByText("a.png").waitFor()
    expect(await files.getByRole("listitem").count()).toBe(2)
    await expect.poll(() => page.evaluate("document.querySelector('.cards img').naturalWidth")).toBe(1)
    await expectGood(opened, shape.width)
    await page.reload()
    await page.getByRole("list", { name: "Files" }).getByText("notes.txt").waitFor()
    // One that has no bytes is refused; one that goes nowhere is given up, and sent again.
    await page.route("**/files/**", (route) => (route.request().method() === "PUT" ? undefined : route.continue()))
    const second = page.waitForEvent("filechooser")
    await page.getByRole("button", { name: "Choose files" }).click()
    await (await second).setFiles([
      { name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) },
      { name: "slow.txt", mimeType: "text/plain", buffer: Buffer.from("slow") },
    ])
    await page.getByRole("button", { name: "Try again: empty.txt" }).waitFor()
    expect(await page.getByText("INVALID_INPUT").count()).toBe(1)
    await page.getByRole("button", { name: "Cancel slow.txt" }).click()
    const again = page.getByRole("button", { name: "Try again: slow.txt" })
    await again.waitFor()
    await page.unrouteAll()
    await again.click()
    await page.getByRole("list", { name: "Files" }).getByText("slow.txt").first().waitFor()
    await opened.close()
  })

  it.each(shapes)("shows who has opened a link, and its code, at $width px", async (shape) => {
    const slug = `sale-${shape.width}`
    const opened = await open("links", shape)
    const { page } = opened
    await page.getByRole("button", { name: "New link" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Slug").fill(slug)
    await dialog.getByLabel("Leads to").fill("https://example.com/sale")
    await dialog.getByRole("button", { name: "New link" }).click()
    await page.getByText("Clicks by day: 0 in 30 days").waitFor()
    const iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15"
    for (const _ of [1, 2, 3])
      await fetch(`${server.url}/l/${project.id}/${slug}`, { redirect: "manual", headers: { "user-agent": iphone } })
    await page.reload()
    await page.getByText("Clicks by day: 3 in 30 days").waitFor()
    expect(await page.getByText(`/l/${project.id}/${slug}`).count()).toBe(1)
    for (const kind of ["SVG", "PNG"]) {
      const download = page.waitForEvent("download")
      await page.getByRole("button", { name: `Save ${kind}` }).click()
      expect((await download).suggestedFilename()).toBe(`${slug}.${kind.toLowerCase()}`)
    }
    await expectGood(opened, shape.width)
    await page.getByRole("button", { name: "Change" }).click()
    await dialog.getByLabel("Leads to").fill("https://example.com/summer")
    await dialog.getByRole("button", { name: "Change" }).click()
    await page.getByText("https://example.com/summer").waitFor()
    await page.getByRole("link", { name: "All links" }).click()
    await page.getByRole("link", { name: slug }).waitFor()
    await expectGood(opened, shape.width)
    await opened.close()
  })

  it.each(shapes.slice(1))("narrows reviews by rating, and approves one, at $width px", async (shape) => {
    const ada = await aUser(server.api, project)
    const about = { item_type: "book", item_id: `b-${shape.width}` }
    const write = (rating: number, body: string) =>
      server.api.ok("POST", "/client/reviews", ada.as, {
        ...about,
        item_id: `${about.item_id}-${rating}`,
        rating,
        body,
      })
    await write(1, `Poor ${shape.width}`)
    await write(5, `Great ${shape.width}`)
    const opened = await open("reviews?rating=1-2&approved=false", shape)
    const { page } = opened
    const poor = page.getByRole("listitem").filter({ hasText: `Poor ${shape.width}` })
    await poor.waitFor()
    expect(await page.getByText(`Great ${shape.width}`).count()).toBe(0)
    await expectGood(opened, shape.width)
    await poor.getByRole("button", { name: "Approve" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Approve" }).click()
    await page.getByText("There is no review like that.").waitFor()
    await page.getByLabel("Approval").selectOption("Approved")
    await poor.waitFor()
    await opened.close()
  })

  it.each(shapes)(
    "fills a library from a file, and shows what a schedule is going to deliver, at $width px",
    async (shape) => {
      const name = `Tips ${shape.width}`
      const library = await server.api.ok<{ id: string }>(
        "POST",
        `${project.admin}/content/libraries`,
        project.owner.as,
        {
          name,
        },
      )
      const opened = await open(`libraries/${library.id}`, shape)
      const { page } = opened
      await page.getByRole("button", { name: "Import" }).click()
      const dialog = page.getByRole("dialog")
      const choose = (text: string) =>
        dialog.getByLabel("File").setInputFiles({ name: "tips.csv", mimeType: "text/csv", buffer: Buffer.from(text) })
      await choose('title,body,is_premium\nOne,"Drink, and\nrest",yes\n')
      await dialog.getByText("is_premium must be true or false").waitFor()
      await choose('title,body,is_premium\nOne,"Drink, and\nrest",true\nTwo,Walk,\n')
      await dialog.getByText("2 items are in the file.").waitFor()
      await expectGood(opened, shape.width)
      await dialog.getByRole("button", { name: "Import" }).click()
      await page.getByRole("cell", { name: "Two", exact: true }).waitFor()
      await expectGood(opened, shape.width)
      const two = page.getByRole("row").filter({ hasText: "Walk" })
      const setActive = async (isActive: boolean) => {
        await two.getByRole("button", { name: "Edit" }).click()
        await dialog.getByLabel("Active").setChecked(isActive)
        await dialog.getByRole("button", { name: "Edit" }).click()
        await two.waitFor({ state: "detached" })
      }
      await setActive(false)
      await page.getByLabel("Show").selectOption("inactive items")
      await two.waitFor()
      await setActive(true)
      await page.getByLabel("Show").selectOption("active items")
      await two.waitFor()

      await page.goto(`${server.url}/console/projects/${project.id}/schedules/new`)
      await page.getByLabel("Name").fill("Every morning")
      await page.getByLabel("Library").selectOption(name)
      await page.getByLabel("What comes next").selectOption("sequential")
      await page.getByLabel("Cron").fill("30 7 * * MON-FRI")
      await page.getByLabel("Time zone").fill("Europe/Berlin")
      await expectGood(opened, shape.width)
      await page.getByRole("button", { name: "Make the schedule" }).click()
      const coming = page.getByRole("region", { name: "What comes" }).getByRole("row")
      await coming.nth(14).waitFor()
      expect((await coming.allTextContents()).slice(1, 3).join()).toMatch(/7:30.*One.*7:30.*Two/)
      await expectGood(opened, shape.width)
      await page.getByRole("button", { name: "Deliver now" }).click()
      await dialog.getByRole("button", { name: "Deliver now" }).click()
      await expect.poll(async () => (await coming.allTextContents())[1]).toMatch(/7:30.*Two/)
      await opened.close()
    },
  )

  it("does not show as new what was read before a change", async () => {
    const libraries = `${project.admin}/content/libraries`
    const library = await server.api.ok<{ id: string }>("POST", libraries, project.owner.as, { name: "Walks" })
    const items = [{ title: "Walk", body: "Outside" }]
    await server.api.ok("POST", `${libraries}/${library.id}/items`, project.owner.as, { items })
    const opened = await open(`libraries/${library.id}`, shapes[0])
    const { page } = opened
    const walk = page.getByRole("row").filter({ hasText: "Outside" })
    await walk.getByRole("button", { name: "Edit" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Active").setChecked(false)
    const changed = Promise.withResolvers<void>()
    const read = Promise.withResolvers<void>()
    await page.route("**/content/items/*", async (route) => {
      await read.promise
      const response = await route.fetch()
      await route.fulfill({ response })
      changed.resolve()
    })
    // The first list of inactive items is read before the change, and comes after it.
    await page.route("**/items?*is_active=false*", async (route) => {
      const response = await route.fetch()
      read.resolve()
      await changed.promise
      await page.waitForTimeout(300)
      await route.fulfill({ response })
    })
    await dialog.getByRole("button", { name: "Edit" }).click()
    await page.getByLabel("Show").selectOption("inactive items")
    await walk.waitFor()
    await opened.close()
  })
})
