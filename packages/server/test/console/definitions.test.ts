import { hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, aUser, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, pressTo, readFocus, shapes } from "./browser.ts"

describe.skipIf(!hasChromium)("the definitions in the console", () => {
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

  const open = (path: string, shape: (typeof shapes)[number] = shapes[0]) =>
    openConsole(browser, server, project.owner, `projects/${project.id}/${path}`, shape)

  it.each(shapes)("build a segment, count while one types, and explain it at $width px", async (shape) => {
    const { api } = server
    const user = await aUser(api, project)
    await aUser(api, project)
    await api.ok("PATCH", "/client/users/me", user.as, { properties: { plan: `gold-${shape.width}` } })
    const opened = await open("segments", shape)
    const { page } = opened
    await page.getByRole("link", { name: "All users" }).waitFor()
    await expectGood(opened, shape.width)

    await page.getByRole("link", { name: "New segment" }).click()
    await page.getByLabel("Name").fill("Gold")
    await page.getByLabel("About").selectOption({ label: "Property …" })
    await page.getByText("The rules are not finished.").waitFor()
    await page.getByLabel("Property").fill("plan")
    await page.getByText("0 users fit now").waitFor()
    await page.getByLabel("Value", { exact: true }).fill(`gold-${shape.width}`)
    await page.getByText("1 user fits now").waitFor()
    await page.getByRole("button", { name: "Add a group" }).click()
    await page.getByRole("button", { name: "Add a rule" }).first().click()
    await page.getByLabel("About").last().selectOption({ label: "Number of events …" })
    await page.getByLabel("Event", { exact: true }).fill("lesson_completed")
    await page.getByText("0 users fit now").waitFor()
    await page.getByLabel("Operator").last().selectOption({ label: "is less than" })
    await page.getByLabel("Count").press("End")
    await page.getByLabel("Count").pressSequentially("25")
    expect(await page.getByLabel("Count").inputValue()).toBe("125")
    await page.getByText("1 user fits now").waitFor()
    await expectGood(opened, shape.width)

    // By keyboard one goes on with the rule that was added, whatever it is about, and with what is left when it goes.
    await page.getByRole("button", { name: "Add a rule" }).last().press("Enter")
    for (const way of ["ArrowDown", "ArrowUp"]) {
      for (let at = 0; at < 11; at += 1) await page.keyboard.press(way)
    }
    expect([await readFocus(opened), await page.locator(":focus").inputValue()]).toEqual(["About", "last_seen_at"])
    await page.keyboard.press("Tab")
    await page.keyboard.type("is after")
    await page.keyboard.press("Tab")
    await page.keyboard.type("03042025")
    expect(await page.locator(":focus").inputValue()).toMatch(/^2025-03-04T/)
    await pressTo(opened, "Remove the rule")
    await page.keyboard.press("Enter")
    await expect.poll(() => readFocus(opened)).toBe("How the rules are joined")
    await page.getByRole("button", { name: "Make the segment" }).click()
    await page.getByRole("heading", { name: "Gold", level: 1 }).waitFor()

    // What is found for each letter comes while the next ones are typed: the page stays, with the field and all of them.
    await page.getByLabel("User", { exact: true }).press("End")
    await page.keyboard.type(user.id)
    expect(await page.locator(":focus").inputValue()).toBe(user.id)
    await page.getByText("The rules describe this user").waitFor()
    expect(await page.getByText(`has “gold-${shape.width}”`).count()).toBe(1)
    await expectGood(opened, shape.width)
    await opened.close()
  })

  it("show criteria of a single rule as a group to which others are added", async () => {
    const { api } = server
    const [as, path] = [project.owner.as, `${project.admin}/achievements`]
    const rule = { event: "lesson_completed", op: "gte", count: 3 }
    const { id } = await api.ok<{ id: string }>("POST", path, as, { key: "eager", name: "Eager", criteria: rule })
    const opened = await open(`achievements/${id}`)
    const { page } = opened
    await page.getByText("0 users would unlock it now").waitFor()
    expect(await page.getByLabel("Event", { exact: true }).inputValue()).toBe("lesson_completed")
    await page.getByLabel("Count").fill("4")
    await page.getByRole("button", { name: "Add a rule" }).click()
    await expectGood(opened, 1280)
    await page.getByRole("button", { name: "Save" }).click()
    await expect
      .poll(() => api.ok("GET", `${path}/${id}`, as))
      .toMatchObject({ criteria: { all: [{ ...rule, count: 4 }, { field: "last_seen_at" }] } })
    await opened.close()
  })

  it("show two editors what they both have changed, and keep the rest of both", async () => {
    const { api } = server
    const as = project.owner.as
    const made = await api.ok<{ id: string }>("POST", `${project.admin}/streaks`, as, {
      name: "Lessons",
      qualifying_event: "lesson_completed",
    })
    const path = `${project.admin}/streaks/${made.id}`
    const opened = await open(`streaks/${made.id}`)
    const { page } = opened
    await page.getByLabel("Name").fill("My lessons")
    await page.getByLabel("Grace period, in hours").fill("6")
    await api.ok("PATCH", path, as, { name: "Their lessons", description: "Theirs" })
    await page.getByRole("button", { name: "Save" }).click()
    const conflict = page.getByRole("alert", { name: "Changed by somebody else" })
    await conflict.getByText("Their lessons").waitFor()
    expect(await conflict.getByText("My lessons").count()).toBe(1)
    expect(await page.getByLabel("Description").inputValue()).toBe("Theirs")
    await expectGood(opened, 1280)
    await conflict.getByRole("button", { name: "Keep yours: Name" }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("heading", { name: "My lessons", level: 1 }).waitFor()
    const saved = await api.ok<ReadonlyArray<object>>("GET", `${project.admin}/streaks`, as)
    expect(saved).toMatchObject([{ name: "My lessons", description: "Theirs", grace_period_hours: 6 }])

    // An error stands at its field, and what was typed stays.
    await page.getByLabel("Most freezes").fill("-1")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("must be an integer from 0 to 1000", { exact: true }).waitFor()
    await page.getByRole("link", { name: "Segments" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Stay" }).click()
    expect(await page.getByLabel("Most freezes").inputValue()).toBe("-1")

    await api.ok("DELETE", path, as)
    await page.getByLabel("Most freezes").fill("3")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Make a new one of it" }).click()
    await page.getByRole("button", { name: "Make the streak" }).click()
    // What was said of the save before may still be there: it says nothing about this one.
    const list = () => api.ok<ReadonlyArray<{ id: string }>>("GET", `${project.admin}/streaks`, as)
    await expect.poll(list).toMatchObject([{ name: "My lessons", description: "Theirs", max_freezes: 3 }])
    const again = await list()
    expect(again[0]?.id).not.toBe(made.id)
    await opened.close()
  })

  it("sell an item in a store, and remove it, with what is wrong at its row", async () => {
    const { api } = server
    const as = project.owner.as
    await api.ok("POST", `${project.admin}/currencies`, as, { code: "COINS", name: "Coins" })
    const opened = await open("catalog/new")
    const { page } = opened
    await page.getByLabel("Key", { exact: true }).fill("hat")
    await page.getByLabel("Name").fill("Hat")
    await page.getByRole("button", { name: "Add a price" }).click()
    await page.getByLabel("Currency").first().fill("COINS")
    await page.getByLabel("Amount").first().fill("5")
    await page.getByRole("button", { name: "Make the item" }).click()
    await page.getByRole("heading", { name: "Hat", level: 1 }).waitFor()
    await page.getByRole("link", { name: "Stores" }).click()
    await page.getByRole("link", { name: "New store" }).click()
    await page.getByLabel("Name").fill("Shop")
    await page.getByRole("button", { name: "Make the store" }).click()
    await page.getByRole("link", { name: "New listing" }).click()
    await page.getByLabel("Item").selectOption({ label: "Hat (hat)" })
    await page.getByRole("button", { name: "Make the listing" }).click()
    await page.getByRole("heading", { name: "Hat", level: 1 }).waitFor()
    await page.getByRole("link", { name: "Listings" }).click()
    await page.getByRole("link", { name: "Hat" }).click()
    await page.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
    await page.getByText("There is no listing yet.").waitFor()
    await expectGood(opened, 1280)

    await page.getByRole("link", { name: "XP and levels" }).click()
    await page.getByRole("button", { name: "Add a level" }).click()
    await page.getByLabel("Name").fill("Novice")
    await page.getByLabel("XP that it asks for").fill("many")
    await page.getByRole("button", { name: "Save" }).last().click()
    await page.getByText("xp_required must be", { exact: false }).first().waitFor()
    expect(await page.getByLabel("XP that it asks for").inputValue()).toBe("many")
    await opened.close()
  })

  it("move the steps of a flow by keyboard and by pointer", async () => {
    const { api } = server
    const as = project.owner.as
    const steps = ["one", "two", "three"].map((title) => ({ title }))
    const path = `${project.admin}/onboarding/flows`
    const { id } = await api.ok<{ id: string }>("POST", path, as, { name: "First steps", steps })
    const opened = await open(`onboarding/${id}`)
    const { page } = opened
    const isAt = (says: string) => expect.poll(() => readFocus(opened)).toBe(says)
    await page.getByRole("button", { name: "Step 1 down" }).focus()
    await page.keyboard.press("Enter")
    await isAt("Step 2 down")
    await page.keyboard.press("Enter")
    // At the end there is no further down.
    await isAt("Step 3 up")
    await page.getByRole("button", { name: "Step 2 up" }).click()
    await isAt("Step 1 down")
    await expectGood(opened, 1280)
    await page.getByRole("button", { name: "Save" }).click()
    const saved = () => api.ok<{ steps: ReadonlyArray<{ title: string }> }>("GET", `${path}/${id}`, as)
    await expect.poll(async () => (await saved()).steps.map(({ title }) => title)).toEqual(["three", "two", "one"])
    await opened.close()
  })

  it("show everything to a viewer, and no write", async () => {
    const { api } = server
    const viewer = await aDeveloper(api)
    await api.ok("POST", `${project.admin}/members`, project.owner.as, { email: viewer.email, role: "viewer" })
    const opened = await openConsole(browser, server, viewer, `projects/${project.id}/segments`, shapes[1])
    const { page } = opened
    await page.getByRole("link", { name: "All users" }).click()
    await page.getByText("everybody", { exact: true }).waitFor()
    await expectGood(opened, 390)
    for (const [path, sign] of [
      ["currencies", "COINS"],
      ["catalog", "hat"],
      ["referrals", "There is no code yet."],
      ["xp", "What events are worth"],
      ["achievements/new", "Only admins and owners"],
    ]) {
      await page.goto(`${server.url}/console/projects/${project.id}/${path}`)
      await page
        .getByText(sign ?? "", { exact: false })
        .first()
        .waitFor()
      expect(await page.getByRole("button", { name: /^(Save|Remove|Make|Evaluate|Add)/ }).count()).toBe(0)
      expect(await page.getByRole("link", { name: /^New / }).count()).toBe(0)
    }
    await expectGood(opened, 390)
    await opened.close()
  })
})
