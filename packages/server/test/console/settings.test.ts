import { limitedFeatures } from "@hearth/core/limits"
import { type BrowserPage, hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aDeveloper, aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"
import { expectGood, openConsole, shapes } from "./browser.ts"

/** A page without the refusals that a journey has asked for, which the browser notes. */
const quiet = (opened: BrowserPage): BrowserPage => ({
  ...opened,
  problems: opened.problems.filter((problem) => !/status of 40[04] /.test(problem)),
})

describe.skipIf(!hasChromium)("the settings of a project in the console", () => {
  const harness = makeHarness()
  let server: TestServer
  let browser: TestBrowser
  let project: TestProject
  // The owner signs in once: that takes longer than most of the journeys.
  let own: BrowserPage

  beforeAll(async () => {
    const [started, opened] = await Promise.all([harness.server({ DATA_DIR: harness.folder() }), openBrowser()])
    server = started
    browser = opened
    project = await aProject(server.api)
    own = await openConsole(browser, server, project.owner, "")
  })
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  const admin = <Data>(method: string, path: string, body?: object) =>
    server.api.ok<Data>(method, `${project.admin}${path}`, project.owner.as, body)
  /** A page as the owner sees it, with the problems from then on. */
  const open = async (
    path: string,
    { width, height, scheme }: (typeof shapes)[number] = shapes[0],
    { id } = project,
  ) => {
    const before = own.problems.length
    await own.page.setViewportSize({ width, height })
    await own.page.emulateMedia({ colorScheme: scheme })
    await own.page.goto(`${server.url}/console/projects/${id}/${path}`)
    return {
      ...own,
      get problems() {
        return own.problems.slice(before)
      },
    }
  }

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
    // What had the focus is gone: the same button of the next row has it.
    await expect.poll(() => page.locator(":focus").textContent()).toBe("Revoke")
    const left = await admin<ReadonlyArray<{ key: string }>>("GET", "/api-keys")
    expect(left.map(({ key }) => key)).toEqual([project.clientKey])
    await page.goto(`${server.url}/console/projects/${project.id}/members`)
    await page.getByRole("heading", { name: "Members", exact: true }).waitFor()
    await page.getByText(project.owner.email).waitFor()
    await expectGood(opened, shape.width)
  })

  it("change settings, see what somebody else has changed, and clear them", async () => {
    const opened = await open("settings")
    const { page } = opened
    await page.getByLabel("Name", { exact: false }).first().fill("Mine")
    await page.getByLabel("Events of your servers alone").fill("coin_earned\nlevel_cheated")
    await page.getByLabel("Cap of monthly active users").fill("100")
    await page.getByLabel("Allowed origins").fill("https://a.example\nnonsense")
    await page.getByRole("button", { name: "Add a limit" }).click()
    const offered = page.getByLabel("Feature").getByRole("option")
    expect(await offered.allTextContents()).toEqual(["Choose …", ...limitedFeatures])
    await page.getByLabel("Feature").selectOption("events")
    await page.getByLabel("Per minute").fill("5")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("line 2 must be an origin").waitFor()
    await expectGood(quiet(opened), shapes[0].width)
    await page.getByLabel("Allowed origins").fill("https://a.example")
    await admin("PATCH", "", { name: "Theirs", bundle_id: "com.example.app" })
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByRole("button", { name: "Take theirs: Name" }).click()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved.").waitFor()
    expect(await admin("GET", "")).toMatchObject({
      ...{ name: "Theirs", bundle_id: "com.example.app", mau_cap: 100, allowed_origins: ["https://a.example"] },
      ...{ server_events: ["coin_earned", "level_cheated"], limits: { events: { per_minute: 5 } } },
    })
    await page.getByLabel("Cap of monthly active users").fill("")
    await page.getByLabel("Bundle id").fill("")
    await page.getByLabel("Events of your servers alone").fill("")
    await page.getByRole("button", { name: "Remove limit, 1" }).click()
    await page.getByRole("button", { name: "Save" }).click()
    const cleared = async () => {
      const { mau_cap, bundle_id, server_events, limits } = await admin<Record<string, unknown>>("GET", "")
      return { mau_cap, bundle_id, server_events, limits }
    }
    await expect.poll(cleared).toEqual({ mau_cap: null, bundle_id: null, server_events: [], limits: {} })
  })

  it("set an integration whose secret is never shown again, and test it", async () => {
    const opened = await open("integrations", shapes[1])
    const { page } = opened
    await page.getByText("not set up").first().waitFor()
    await expectGood(quiet(opened), shapes[1].width)
    await page.getByRole("link", { name: "Subscriptions (RevenueCat)" }).click()
    await page.getByText(`/v1/webhooks/subscription?project_id=${project.id}`).waitFor()
    await page.getByRole("button", { name: "Take in a test" }).click()
    await page.getByText("The project takes no webhooks of this provider.").waitFor()
    await page.getByRole("button", { name: "Make one up" }).click()
    const secret = await page.getByLabel("Webhook secret").inputValue()
    expect(secret.length).toBeGreaterThan(40)
    await page.getByRole("button", { name: "Copy the secret" }).waitFor()
    await page.getByLabel("Accept purchases of the sandbox").check()
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("Saved.").waitFor()
    await expect.poll(() => page.getByLabel("Webhook secret").inputValue()).toBe("")
    const kept = await page.evaluate("document.documentElement.outerHTML + JSON.stringify({ ...localStorage })")
    expect(String(kept)).not.toContain(secret)
    expect(await admin("GET", "/integrations")).toMatchObject([
      { provider: "subscription", is_active: true, has_secret: true, config: { accept_sandbox: true } },
    ])
    await page.getByRole("button", { name: "Take in a test" }).click()
    await page.getByText("The service has taken it in").waitFor()
    await page.getByText(/Last webhook: .*TEST/).waitFor()
    await expectGood(quiet(opened), shapes[1].width)
    await page.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove" }).click()
    await page.getByRole("heading", { name: "Integrations" }).waitFor()
    await page.getByRole("link", { name: "Firebase push (FCM)" }).click()
    await page.getByLabel("Service account").fill("{ no")
    await page.getByRole("button", { name: "Save" }).click()
    await page.getByText("is not JSON").waitFor()
    await page.getByLabel("Service account").fill('{"project_id":"example-app","client_email":"a@example.com"}')
    await page.getByRole("button", { name: "Save" }).click()
    await page.locator(".fault").getByText("private_key").waitFor()
    await page.getByRole("button", { name: "Discard changes" }).click()
    await page.getByLabel("Device token").fill("a-device")
    await page.getByRole("button", { name: "Send test" }).click()
    await page.getByText("Firebase push (FCM) has taken it").waitFor()
    expect(await admin("GET", "/integrations")).toEqual([])
    await expectGood(quiet(opened), shapes[1].width)
  })

  it("show everything to a viewer, and no write", async () => {
    const viewer = await aDeveloper(server.api)
    await admin("POST", "/members", { email: viewer.email, role: "viewer" })
    const opened = await openConsole(browser, server, viewer, `projects/${project.id}/settings`, shapes[1])
    const { page } = opened
    const writes = /Save|Add|Remove|Make one up|Take in|Send|Delete|New|Revoke/
    for (const [path, sign] of [
      ["settings", "Cap of monthly active users"],
      ["integrations/paywall", "hex: x-paywall-signature"],
      ["integrations/push_a", "Environment"],
    ] as const) {
      await page.goto(`${server.url}/console/projects/${project.id}/${path}`)
      await page.getByRole("main").getByText(sign).first().waitFor()
      expect(await page.getByRole("main").getByRole("button", { name: writes }).count()).toBe(0)
      expect(await page.getByText("Danger zone").count()).toBe(0)
      await expectGood(opened, shapes[1].width)
    }
    await opened.close()
  })

  it("delete a project by its name", async () => {
    const doomed = await aProject(server.api, project.owner)
    const { name } = await server.api.ok<{ name: string }>("GET", doomed.admin, project.owner.as)
    const opened = await open("settings", shapes[0], doomed)
    const { page } = opened
    await page.getByRole("button", { name: "Delete project" }).click()
    const alert = page.getByRole("alertdialog")
    await alert.getByLabel(`Type ${name} to confirm`).fill("another")
    await alert.getByRole("button", { name: "Delete project" }).click()
    await alert.getByText("Nothing is deleted").waitFor()
    await alert.getByLabel(`Type ${name} to confirm`).fill(name)
    await alert.getByRole("button", { name: "Delete project" }).click()
    await page.getByRole("heading", { name: "Projects" }).waitFor()
    await page.getByText("The project is deleted.").waitFor()
    await expectGood(opened, shapes[0].width)
    expect((await server.api.call("GET", doomed.admin, project.owner.as)).status).toBe(403)
  })
})
