import { type BrowserPage, hasChromium, openBrowser, type TestBrowser } from "@hearth/test-services/browser"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aProject, type TestProject } from "../harness/fixtures.ts"
import { makeHarness, type TestServer } from "../harness/harness.ts"

// A busy machine takes its time to show 250 routes.
const patience = 60_000

const shapes = [
  { width: 1280, height: 800, scheme: "light" },
  { width: 390, height: 844, scheme: "dark" },
] as const

const brightness =
  "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).slice(0, 3).reduce((a, b) => a + +b, 0)"

describe.skipIf(!hasChromium)("in a browser", { timeout: 3 * patience }, () => {
  const harness = makeHarness()
  let server: TestServer
  let project: TestProject
  let browser: TestBrowser

  beforeAll(async () => {
    server = await harness.server({ DATA_DIR: harness.folder() })
    project = await aProject(server.api)
    browser = await openBrowser()
  }, 2 * patience)
  afterAll(async () => {
    await browser?.close()
    await harness.clear()
  })

  /** Nothing went wrong, nobody else was asked, and nothing is wider than the window. */
  const expectGood = async ({ page, problems, foreign }: BrowserPage, width: number) => {
    expect([problems, foreign]).toEqual([[], []])
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
  }

  const openReference = async (shape: (typeof shapes)[number]) => {
    const opened = await browser.open(`${server.url}/docs`, shape)
    opened.page.setDefaultTimeout(patience)
    await opened.page.getByRole("heading", { name: "Getting started" }).waitFor()
    return opened
  }

  it("the reference is readable on a phone in the dark, and has a menu", async () => {
    const [, phone] = shapes
    const opened = await openReference(phone)
    const { page } = opened
    await page.getByRole("button", { name: "Open Menu" }).click()
    await page.getByRole("link", { name: "Leaderboards" }).first().waitFor()
    expect(Number(await page.evaluate(brightness))).toBeLessThan(150)
    await expectGood(opened, phone.width)
    await opened.close()
  })

  it("the reference says how to start here, finds a route, shows it in four languages and calls it", async () => {
    const [desk] = shapes
    const opened = await openReference(desk)
    const { page } = opened
    await page.getByText(`api=${server.url}/v1`).first().waitFor()
    await page.getByRole("link", { name: "Leaderboards" }).first().waitFor()
    expect(Number(await page.evaluate(brightness))).toBeGreaterThan(600)
    await page
      .getByRole("button", { name: /search/i })
      .first()
      .click()
    await page.keyboard.type("anonymous user")
    await page.getByRole("option").first().click()
    await page.waitForURL(/client\/auth\/anonymous/)

    const route = page.locator("[id$='POST/client/auth/anonymous']").first()
    await route.getByRole("button", { name: /Shell Curl/ }).click()
    const languages = await page.getByRole("option").allInnerTexts()
    for (const language of ["Curl", "TypeScript", "URLSession", "OkHttp"])
      expect(languages.join("\n").toLowerCase()).toContain(language.toLowerCase())
    await page.getByRole("option", { name: "TypeScript" }).click()
    await route.getByText('hearth.api.POST("/client/auth/anonymous")').first().waitFor()

    await route.getByRole("button", { name: /Test Request/ }).click()
    const dialog = page.getByRole("dialog").first()
    await dialog.locator("input[autocomplete='off']").first().fill(project.clientKey)
    await dialog.getByRole("button", { name: /^Send/ }).first().click()
    await dialog.getByText("201 Created").first().waitFor()
    await expectGood(opened, desk.width)
    await opened.close()
  })

  it.each(shapes)("the root and the page of development are readable at $width pixels", async (shape) => {
    const opened = await browser.open(server.url, shape)
    await opened.page.getByRole("link", { name: "/dev", exact: true }).click()
    await opened.page.getByText(project.clientKey).waitFor()
    await expectGood(opened, shape.width)
    await opened.close()
  })

  it("a magic link signs in, and shows tokens that work", async () => {
    const email = "ada@example.com"
    await server.api.ok("POST", "/client/auth/magic-link/request", { ...project.app, origin: server.url }, { email })
    const opened = await browser.open(`${server.url}/dev`, shapes[1])
    const { page } = opened
    await page.getByRole("link", { name: "Open the link" }).first().click()
    await page.getByRole("heading", { name: "Signed in" }).waitFor()
    expect(page.url()).toBe(`${server.url}/auth/verify`)
    await page.getByRole("button", { name: "Copy" }).first().click()
    const session = await page.evaluate("navigator.clipboard.readText()")
    const me = await server.api.ok<{ email: string }>("GET", "/client/users/me", {
      ...project.app,
      authorization: `Bearer ${session}`,
    })
    expect(me.email).toBe(email)
    await expectGood(opened, shapes[1].width)
    await opened.close()
    expect(server.output() + server.errors()).not.toContain("token=")
  })

  it("a link that was used is refused with a sentence", async () => {
    const opened = await browser.open(`${server.url}/auth/verify?token=used`)
    await opened.page.getByRole("button", { name: "Sign in" }).click()
    await opened.page.getByText("INVALID_TOKEN").waitFor()
    expect(opened.foreign).toEqual([])
    await opened.close()
  })
})
