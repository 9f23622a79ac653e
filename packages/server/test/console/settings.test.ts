import { hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, shapes } from "./browser.ts"

describe.skipIf(!hasChromium)("the settings of a project in the console", () => {
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

  const admin = <Data>(method: string, path: string, body?: object) =>
    server.api.ok<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  const open = (path: string, shape: (typeof shapes)[number] = shapes[0]) =>
    openConsole(browser, server, project.owner, `projects/${project.id}/${path}`, shape)

  it("add a member, change the role, keep the last owner, and remove one", async () => {
    const other = await aDeveloper(server.api)
    const opened = await open("members")
    const { page } = opened
    const row = (email: string) => page.getByRole("row").filter({ hasText: email })
    const dialog = page.getByRole("dialog")
    await page.getByRole("button", { name: "Add member" }).click()
    await dialog.getByLabel("Email").fill("nobody@example.com")
    await dialog.getByRole("button", { name: "Add member" }).click()
    await dialog.getByRole("alert").waitFor()
    await dialog.getByLabel("Email").fill(other.email)
    await dialog.getByRole("button", { name: "Add member" }).click()
    await row(other.email).getByText("viewer").waitFor()
    await row(other.email).getByRole("button", { name: "Change role" }).click()
    await dialog.getByLabel("Role").selectOption("admin")
    await dialog.getByRole("button", { name: "Change role" }).click()
    await row(other.email).getByText("admin").waitFor()
    await dialog.waitFor({ state: "detached" })
    await row(project.owner.email).getByRole("button", { name: "Remove" }).click()
    const alert = page.getByRole("alertdialog")
    await alert.getByRole("button", { name: "Remove" }).click()
    await alert.getByText("A project needs at least one owner.").waitFor()
    await alert.getByRole("button", { name: "Cancel" }).click()
    await row(other.email).getByRole("button", { name: "Remove" }).click()
    await alert.getByRole("button", { name: "Remove" }).click()
    await alert.waitFor({ state: "detached" })
    await row(other.email).waitFor({ state: "detached" })
    expect(await admin("GET", "/members")).toMatchObject([{ email: project.owner.email, role: "owner" }])
    await opened.close()
  })

  it.each(shapes)("make a key, and revoke it, at $width px", async (shape) => {
    const opened = await open("keys", shape)
    const { page } = opened
    const name = `Second ${shape.width}`
    await page.getByRole("button", { name: "New key" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill(name)
    await page.getByRole("dialog").getByRole("button", { name: "New key" }).click()
    const row = page.getByRole("row").filter({ hasText: name })
    await row.getByRole("button", { name: "Copy" }).waitFor()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await expectGood(opened, shape.width)
    await row.getByRole("button", { name: "Revoke" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Revoke" }).click()
    // What is behind an open dialog has no role.
    await page.getByRole("alertdialog").waitFor({ state: "detached" })
    await row.waitFor({ state: "detached" })
    const left = await admin<ReadonlyArray<{ key: string }>>("GET", "/api-keys")
    expect(left.map(({ key }) => key)).toEqual([project.clientKey])
    await page.goto(`${server.url}/console/projects/${project.id}/members`)
    await page.getByRole("heading", { name: "Members", exact: true }).waitFor()
    await page.getByText(project.owner.email).waitFor()
    await expectGood(opened, shape.width)
    await opened.close()
  })
})
