import { hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aStreak, aUser, daysAgo, streaksOf, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, pressTo, readFocus, shapes } from "./browser.ts"

const [wide, narrow] = shapes
const parts = [
  "Segments",
  "Profile",
  "Events",
  "Access",
  "Progress",
  "Wallets",
  "Items",
  "Devices",
  "Social",
  "Streaks",
]

// The accessibility of a few that have everything the others have: it takes half a second each.
const looked: ReadonlySet<string> = new Set(["Segments", "Access", "Progress", "Wallets"])

describe.skipIf(!hasChromium)("the page of a user", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser
  let project: TestProject
  let adaId: string

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    browser = await openBrowser()
    project = await aProject(server.api)
    const admin = <Data = { id: string }>(method: string, path: string, body: object) =>
      server.api.ok<Data>(method, `${project.admin}${path}`, project.owner.as, body)
    await aStreak(server.api, project, {
      name: "Lessons",
      qualifying_event: "lesson",
      freeze_enabled: true,
      max_freezes: 2,
    })
    await admin("POST", "/segments", {
      name: "Regulars",
      rules: {
        operator: "AND",
        conditions: [
          { event: "lesson", op: "gte", count: 5, within: "30d" },
          { field: "properties.plan", op: "eq", value: "pro" },
          { field: "display_name", op: "eq", value: "Ada" },
        ],
      },
    })
    await admin("POST", "/currencies", { code: "COINS", name: "Coins" })
    await admin("POST", "/achievements", {
      key: "five",
      name: "Five lessons",
      criteria: { operator: "AND", conditions: [{ event: "lesson", op: "gte", count: 5 }] },
    })
    const [ada] = [await aUser(server.api, project), await aUser(server.api, project)]
    adaId = ada.id
    await admin("PATCH", `/users/${adaId}`, { display_name: "Ada", external_id: "crm-77" })
    await server.api.ok("PATCH", "/client/users/me", ada.as, { properties: { plan: "free" } })
    const events = [9, 8, 7].map((ago) => ({ event_name: "lesson", occurred_at: daysAgo(ago) }))
    await server.api.ok("POST", "/client/events", ada.as, { events })
    await admin("POST", `/users/${adaId}/entitlements`, { entitlement_id: "premium" })
    await admin("POST", `/users/${adaId}/xp`, { amount: 20, reason: "sorry" })
    await admin("POST", "/currencies/grant", { app_user_id: adaId, currency_code: "COINS", amount: 30 })
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  /** The events are handled: there is a streak, and it is lost. */
  const streakIsLost = () =>
    expect.poll(() => streaksOf(server.api, project, adaId)).toMatchObject([{ status: "broken", longest_count: 3 }])

  it("says by keyboard alone why a streak was lost and a segment is missed, and gives a freeze", async () => {
    await streakIsLost()
    const opened = await browser.open(`${server.url}/console/`, wide)
    const { page } = opened
    const keyboard = page.keyboard
    const isAt = (says: string) => expect.poll(() => readFocus(opened)).toBe(says)
    const isIn = (field: string) => page.locator(`[name=${field}]:focus`).waitFor()
    await isIn("email")
    await keyboard.type(project.owner.email)
    await keyboard.press("Tab")
    await keyboard.type(project.owner.password)
    await keyboard.press("Enter")
    await isAt("Projects")
    await pressTo(opened, "Test")
    await keyboard.press("Enter")
    await isAt("Overview")
    await keyboard.press("Control+k")
    await page.locator("[role=combobox]:focus").waitFor()
    await keyboard.type("crm-77")
    const option = page.getByRole("option", { name: "Ada" })
    await expect.poll(() => option.getAttribute("data-highlighted")).toBe("")
    await keyboard.press("Enter")
    await isAt("Ada")

    const streak = page.getByRole("region", { name: "Lessons", exact: true })
    await streak.getByText("Why it broke:").waitFor()
    expect(await streak.textContent()).toContain(
      "Nothing was done in this day and no freeze was left, so the streak of 3 days ended.",
    )
    await expectGood(opened, wide.width)
    await pressTo(opened, "Give freezes: Lessons")
    await keyboard.press("Enter")
    const dialog = page.getByRole("dialog")
    await dialog.getByText("what is lost already stays lost").waitFor()
    await dialog.getByText("The user has 0 of at most 2.").waitFor()
    await expectGood(opened, wide.width)
    await isIn("count")
    await keyboard.type("2")
    await keyboard.press("Enter")
    await page.getByText("The freezes are given.").waitFor()
    await isAt("Give freezes: Lessons")
    expect(await streaksOf(server.api, project, adaId)).toMatchObject([{ freezes_remaining: 2 }])

    await pressTo(opened, "Streaks", "Shift+Tab")
    await keyboard.press("ArrowRight")
    await isAt("Segments")
    await keyboard.press("Enter")
    await page.getByRole("link", { name: "Not in it: why? Regulars" }).waitFor()
    await pressTo(opened, "Not in it: why? Regulars")
    await keyboard.press("Enter")
    const why = page.getByRole("region", { name: "Why", exact: true })
    await why.getByText("Not in it, because:").waitFor()
    expect(await why.getByRole("listitem").allTextContents()).toEqual(
      expect.arrayContaining([
        "The number of “lesson” in the last 30 days must be at least 5, but it is 3.",
        "properties.plan must be “pro”, but it is “free”.",
      ]),
    )
    // The address leads there again.
    await page.reload()
    await why.getByText("properties.plan must be “pro”, but it is “free”.").first().waitFor()
    await expectGood(opened, wide.width)

    // What is shown leads to what has caused it.
    await page.getByRole("tab", { name: "Streaks" }).click()
    await streak.getByText("Period by period").click()
    await streak.getByRole("row", { name: "went on to 3 days" }).getByRole("link").click()
    const event = page.getByRole("row", { name: "the one that led here" })
    await event.getByText("lesson", { exact: true }).waitFor()
    expect(await page.getByRole("row").count()).toBe(4)
    await opened.close()
  })

  it("shows everything to a viewer, and no write", async () => {
    await streakIsLost()
    const viewer = await aDeveloper(server.api)
    await server.api.ok("POST", `${project.admin}/members`, project.owner.as, { email: viewer.email, role: "viewer" })
    const path = `projects/${project.id}/users/${adaId}?tab=streaks`
    const opened = await openConsole(browser, server, viewer, path, narrow)
    const { page } = opened
    await page.getByText("Why it broke:").waitFor()
    for (const part of parts) {
      await page.getByRole("tab", { name: part }).click()
      const panel = page.getByRole("tabpanel", { name: part })
      await panel.waitFor()
      await panel.locator("[aria-busy=true]").first().waitFor({ state: "detached" })
      if (looked.has(part)) await expectGood(opened, narrow.width)
      const buttons = await page.getByRole("main").getByRole("button").allTextContents()
      expect(buttons.filter((each) => !/^Export|^Filter|^Look|^Show more/.test(each))).toEqual([])
    }
    expect([opened.problems, opened.foreign]).toEqual([[], []])
    await opened.close()
  })

  it("grants an entitlement and denies it, by keyboard alone", async () => {
    const path = `projects/${project.id}/users/${adaId}?tab=access`
    const opened = await openConsole(browser, server, project.owner, path)
    const { page } = opened
    const given = page.getByRole("table", { name: "Entitlements" }).getByRole("row").filter({ hasText: "gold" })
    const act = async (action: string, done: string) => {
      await page.getByRole("heading", { level: 1 }).focus()
      await pressTo(opened, action)
      await page.keyboard.press("Enter")
      await page.locator("[name=entitlement_id]:focus").waitFor()
      await page.keyboard.type("gold")
      await page.keyboard.press("Enter")
      await page.getByText(done).waitFor()
      await expect.poll(() => readFocus(opened)).toBe(action)
    }
    await page.getByRole("table", { name: "Entitlements" }).waitFor()
    await act("Grant", "The entitlement is granted.")
    await given.getByRole("cell", { name: "yes", exact: true }).waitFor()
    await page.getByRole("button", { name: "Deny" }).press("Enter")
    // What the user has is offered.
    const offered = await page.evaluate("[...document.querySelectorAll('datalist option')].map(({ value }) => value)")
    expect(offered).toEqual(expect.arrayContaining(["gold", "premium"]))
    await expectGood(opened, wide.width)
    await page.keyboard.press("Escape")
    await page.getByRole("alertdialog").waitFor({ state: "detached" })
    await act("Deny", "The entitlement is denied.")
    await given.getByRole("cell", { name: "no", exact: true }).waitFor()
    await opened.close()
  })

  it("disables and rewards a user, and undoes an entry of the ledger", async () => {
    const opened = await openConsole(browser, server, project.owner, `projects/${project.id}/users`)
    const { page } = opened
    await page.getByText("2 users").waitFor()
    const segments = page.getByLabel("Segment").getByRole("option")
    await expect.poll(() => segments.allTextContents()).toContain("Regulars")
    expect(await segments.filter({ hasText: "All users" }).count()).toBe(1)
    await page.getByRole("table", { name: "Users" }).waitFor()
    await page.getByLabel("Search").fill("crm-77")
    await page.getByText("1 user", { exact: true }).waitFor()
    await expectGood(opened, wide.width)
    await page.getByRole("link", { name: "Ada" }).click()
    await page.getByRole("tab", { name: "Wallets" }).click()
    await page.getByRole("button", { name: /^Reverse: 30 COINS, / }).click()
    await page.getByRole("alertdialog", { name: /^Reverse: 30 COINS, / }).waitFor()
    await page.getByRole("alertdialog").getByRole("button", { name: "Reverse" }).click()
    await page.getByText("The entry is undone.").waitFor()
    await page.getByRole("button", { name: "Give a reward" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("XP").fill("many")
    await dialog.getByRole("button", { name: "Give a reward" }).click()
    await dialog.getByRole("alert").getByText("INVALID_REWARD").waitFor()
    await dialog.getByLabel("XP").fill("7")
    await dialog.getByLabel("Currency").fill("COINS")
    await dialog.getByLabel("Amount").fill("5")
    await dialog.getByRole("button", { name: "Give a reward" }).click()
    await page.getByText("The reward is given.").waitFor()
    const get = (what: string) => server.api.ok("GET", `${project.admin}/users/${adaId}${what}`, project.owner.as)
    expect(await get("/currencies")).toMatchObject([{ code: "COINS", balance: 5 }])
    expect(await get("/xp")).toMatchObject({ total: 27 })
    await page.getByRole("button", { name: "Disable" }).click()
    await page.getByText("All sessions of this user end at once").waitFor()
    await page.getByRole("alertdialog").getByRole("button", { name: "Disable" }).click()
    await page.getByRole("button", { name: "Enable" }).waitFor()
    expect(await get("")).toMatchObject({ is_disabled: true })
    expect(await get("/sessions")).toEqual([])
    await opened.close()
  })
})
