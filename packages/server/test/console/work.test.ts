import { randomUUID } from "node:crypto"
import { type BrowserPage, hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, sqlIn, type TestServer } from "../harness/harness.ts"
import { anEvent, configure, send } from "../webhooks/client.ts"
import { expectGood, openConsole, readFocus, shapes } from "./browser.ts"

/** Stops the clock of a page: what can be taken back for some seconds can be, however slow the machine is. */
const pause = async (page: BrowserPage["page"]) =>
  page.clock.pauseAt((await page.evaluate<number>("Date.now()")) + 30_000)

describe.skipIf(!hasChromium)("work lists of the console", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser
  let project: TestProject
  let dataDir: string

  beforeAll(async () => {
    dataDir = harness.folder()
    server = await harness.server({ DATA_DIR: dataDir })
    project = await aProject(server.api)
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  const admin = <Data>(method: string, path: string, body?: object) =>
    server.api.ok<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const open = (path: string, shape: (typeof shapes)[number] = shapes[0]) =>
    openConsole(browser, server, project.owner, `projects/${project.id}/${path}`, shape)

  const queue = async (status: string) =>
    (await admin<ReadonlyArray<{ excerpt: string }>>("GET", `/moderation/queue?status=${status}`)).map(
      ({ excerpt }) => excerpt,
    )

  it("moderate by keyboard, with a way back, and beside others", async () => {
    const rule = { name: "No spam", rule_type: "keyword", config: { keywords: ["spam"], action: "hold" } }
    await admin("POST", "/moderation/rules", rule)
    for (const name of ["Spam 0", "Spam 1", "Spam 2", "Spam 3", "Spam 4"]) {
      const { as } = await aUser(server.api, project)
      await server.api.ok("PATCH", "/client/users/me", as, { display_name: name })
    }
    const opened = await open("moderation")
    const { page } = opened
    await page.clock.install()
    await page.reload()
    const current = page.locator("[aria-current=true]")
    await expect.poll(() => current.textContent()).toContain("Spam 4")
    await page.getByText("The rule No spam").waitFor()
    await expectGood(opened, shapes[0].width)
    await pause(page)
    await page.keyboard.press("a")
    await expect.poll(() => current.textContent()).toContain("Spam 3")
    expect(await queue("approved")).toEqual([])
    await page.keyboard.press("u")
    await expect.poll(() => current.textContent()).toContain("Spam 4")
    await page.keyboard.press("r")
    await page.keyboard.press("j")
    await page.keyboard.press("k")
    await expect.poll(() => current.textContent()).toContain("Spam 3")
    // Letters in a field are letters.
    await page.getByLabel("Status").focus()
    await page.keyboard.press("x")
    // Somebody else is quicker: seen when it is sent, or before.
    const other = async (name: string) => {
      const listed = await admin<ReadonlyArray<{ id: string; excerpt: string }>>("GET", "/moderation/queue")
      await admin("POST", `/moderation/queue/${listed.find(({ excerpt }) => excerpt === name)?.id}/reject`)
    }
    await other("Spam 3")
    await page.getByRole("button", { name: "Approve" }).click()
    await page.clock.runFor(5_000)
    await page.getByText("Somebody else has already rejected it.").waitFor()
    await page.clock.resume()
    await page.keyboard.press("?")
    await page.getByRole("dialog").getByText("take the last decision back").waitFor()
    await expectGood(opened, shapes[0].width)
    await page.keyboard.press("Escape")
    await other("Spam 1")
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    await page.getByText("Somebody else has decided this one.").waitFor()
    await expect.poll(() => queue("rejected")).toEqual(["Spam 4", "Spam 3", "Spam 1"])
    // Who leaves sends what waits.
    await page.getByRole("button", { name: "Escalate" }).click()
    await page.getByRole("link", { name: "Webhooks", exact: true }).click()
    await expect.poll(() => queue("escalated")).toEqual(["Spam 2"])
    await page.getByRole("link", { name: "Moderation", exact: true }).click()
    await expect.poll(() => current.textContent()).toContain("Spam 0")
    // In an alert a letter decides nothing.
    const key = `hearth.developer.${server.url}`
    const { refreshToken } = JSON.parse(String(await page.evaluate(`localStorage.getItem("${key}")`)))
    await server.api.ok("POST", "/auth/developer/logout", {}, { refresh_token: refreshToken })
    await page.route("**/v1/admin/**", (route) =>
      route.continue({ headers: { ...route.request().headers(), authorization: "Bearer spoiled" } }),
    )
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    const alert = page.getByRole("alertdialog", { name: "Your session has ended" })
    await alert.getByRole("button").last().focus()
    await page.keyboard.press("a")
    expect(await page.getByText("will be approved").count()).toBe(0)
    await page.unrouteAll()
    await alert.getByLabel("Email").fill(project.owner.email)
    await alert.getByLabel("Password").fill(project.owner.password)
    await page.keyboard.press("Enter")
    await alert.waitFor({ state: "detached" })
    await current.waitFor()
    await pause(page)
    await page.keyboard.press("a")
    await page.getByText("will be approved").waitFor()
    await page.goto("about:blank")
    await expect.poll(() => queue("approved")).toEqual(["Spam 0"])
    await opened.close()
  })

  it("replay a webhook once its user is known", async () => {
    await configure(server, project)
    const { id } = await aUser(server.api, project)
    await send(server, project, anEvent({ app_user_id: "customer-1" }))
    const opened = await open("webhooks?status=unresolved", shapes[1])
    const { page } = opened
    await page.getByText("customer-1").waitFor()
    await expectGood(opened, shapes[1].width)
    await page.getByRole("row").nth(1).getByRole("link").click()
    await page.getByText("nobody who is known").waitFor()
    await admin("PATCH", `/users/${id}`, { external_id: "customer-1" })
    await page.getByRole("button", { name: "Replay" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Replay" }).click()
    await page.getByText("is active").waitFor()
    await expectGood(opened, shapes[1].width)
    await opened.close()
  })

  it("read a long list on, as far as one looks", async () => {
    await sqlIn(dataDir).rows(
      project.id,
      `insert into webhook_inbox (id, provider, status, received_at, event_at)
       select gen_random_uuid(), 'paywall', 'processed', now(), now() from generate_series(1, 60)`,
    )
    const opened = await open("webhooks?provider=paywall", shapes[1])
    const { page } = opened
    const rows = page.locator("tbody tr")
    await page.getByText("50 of 60").waitFor()
    expect(await rows.count()).toBe(50)
    await expectGood(opened, shapes[1].width)
    await page.getByRole("button", { name: "Show more" }).click()
    await expect.poll(() => rows.count()).toBe(60)
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0)
    await opened.close()
  })

  it("show what could not be handled, and give it up once that is confirmed", async () => {
    await sqlIn(dataDir).rows(
      project.id,
      `insert into outbox_dead (id, topic, payload, reaction, error, status, tries, first_failed_at)
       values ($1, 'a.topic', '{"definition_id": "one"}', 'a.topic', 'Error: broken', 'dead', 5, now())`,
      [randomUUID()],
    )
    const opened = await open("dead-letters")
    const { page } = opened
    await page.getByText("Error: broken").waitFor()
    await expectGood(opened, shapes[0].width)
    await page.getByRole("row").nth(1).getByRole("link").click()
    await page.getByText("definition_id").waitFor()
    await expectGood(opened, shapes[0].width)
    await page.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
    await page.getByText("Everything was handled").waitFor()
    // Who was at the letter goes on with the list.
    await expect.poll(() => readFocus(opened)).toBe("Dead letters")
    expect(await admin("GET", "/background/dead")).toEqual([])
    await opened.close()
  })

  it("lead a campaign from its text to its deliveries", async () => {
    for (const [token, timezone] of [
      ["device-1", "Europe/Berlin"],
      ["device-2", "America/New_York"],
    ] as const) {
      const { as } = await aUser(server.api, project, timezone)
      await server.api.ok("POST", "/client/push/tokens", as, { token, platform: "ios" })
    }
    const opened = await open("campaigns")
    const { page } = opened
    await page.getByText("A campaign sends a push to all users").waitFor()
    await page.getByRole("link", { name: "New campaign" }).click()
    await page.getByLabel("Title").fill("Hello {{display_name}}")
    await page.getByLabel("Body").fill("Your lesson waits for you. ".repeat(8))
    await page.getByText("2 users with 2 devices (2 iOS").waitFor()
    const segments = page.getByLabel("To", { exact: true }).first().getByRole("option")
    await expect.poll(() => segments.filter({ hasText: "Dormant users" }).count()).toBe(1)
    expect(await segments.filter({ hasText: "All users" }).count()).toBe(1)
    await page.getByLabel("When").selectOption("local_time")
    await page.getByLabel("Date").fill("2999-01-01")
    await page.getByLabel("Time of the day").fill("09:00")
    await page.getByText("Recipients by the time at which").waitFor()
    await expectGood(opened, shapes[0].width)
    await page.getByLabel("When").selectOption("draft")
    await page.getByLabel("To", { exact: true }).last().selectOption("push_a")
    await page.getByLabel("Device token").fill("device-1")
    await page.getByRole("button", { name: "Send test" }).click()
    await page.getByText("Apple push (APNs) has taken it").waitFor()
    await page.getByRole("button", { name: "Save draft" }).click()
    // Somebody else is at the same text: nothing is lost, and who saves again has seen it.
    await page.getByRole("link", { name: "Edit" }).click()
    await page.getByLabel("Body").fill("Mine")
    const [made] = await admin<ReadonlyArray<{ id: string }>>("GET", "/push/campaigns")
    await admin("PATCH", `/push/campaigns/${made?.id}`, { body: "Theirs", name: "Lessons" })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Somebody else has changed this meanwhile.").waitFor()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "Lessons" }).waitFor()
    expect(await admin("GET", `/push/campaigns/${made?.id}`)).toMatchObject({ name: "Lessons", body: "Mine" })
    await page.getByRole("button", { name: "Send now" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Send now" }).click()
    await page.getByRole("link", { name: /^2\s*Sent/ }).click()
    const rows = page.locator("#deliveries tbody tr")
    await expect.poll(() => rows.count()).toBe(2)
    await expectGood(opened, shapes[0].width)
    await opened.close()
    // The development gateway has them: two of the campaign, and the test before them.
    const { data } = (await (await fetch(`${server.url}/dev/push`)).json()) as { data: ReadonlyArray<object> }
    expect(data).toHaveLength(3)
    const narrow = await open("campaigns", shapes[1])
    await narrow.page.getByRole("link", { name: "Lessons", exact: true }).waitFor()
    await expectGood(narrow, shapes[1].width)
    await narrow.page.getByRole("link", { name: "Lessons", exact: true }).click()
    await narrow.page.getByText("Deliveries").first().waitFor()
    await expect.poll(() => narrow.page.locator("#deliveries tbody tr").count()).toBe(2)
    await expectGood(narrow, shapes[1].width)
    await narrow.close()
  })

  it("export what is stored to a file, or in memory where the browser writes none", async () => {
    const opened = await open("exports", shapes[1])
    const { page } = opened
    await page.getByRole("button", { name: "Export users" }).waitFor()
    await expectGood(opened, shapes[1].width)
    // The dialog of the browser cannot be answered here: what it gives is a list of what was done.
    await page.evaluate(`window.done = []; window.showSaveFilePicker = async () => ({
      createWritable: async () => ({
        write: (piece) => done.push(typeof piece.byteLength), close: () => done.push("close"), abort: () => done.push("abort"),
      }),
    })`)
    await page.getByRole("button", { name: "Export reviews" }).click()
    await page.getByText(/^Saved: /).waitFor()
    expect(await page.evaluate("done")).toEqual(["number", "close"])
    await page.evaluate("delete window.showSaveFilePicker")
    const coming = page.waitForEvent("download")
    await page.getByRole("button", { name: "Export users" }).click()
    const download = await coming
    expect(download.suggestedFilename()).toBe("users.csv")
    await expect.poll(() => page.getByText(/^Saved: /).count()).toBe(2)
    await opened.close()
  })
})
