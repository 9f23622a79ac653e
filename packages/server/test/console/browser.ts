import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { BrowserPage, PageOptions, TestBrowser } from "@hearth/test-services/browser"
import { expect } from "vitest"
import type { TestDeveloper } from "../harness/fixtures.ts"
import type { TestServer } from "../harness/harness.ts"

/** The widths and schemes in which pages are looked at. */
export const shapes = [
  { width: 1280, height: 800, scheme: "light" },
  { width: 390, height: 844, scheme: "dark" },
] as const satisfies ReadonlyArray<PageOptions>

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

/** What a page of the console has against those who cannot see, or use no mouse. */
const findViolations = async ({ page }: BrowserPage): Promise<ReadonlyArray<string>> => {
  await page.evaluate(axe)
  // What is behind a dialog is out of reach while it is open.
  const dialogs = "[role=dialog], [role=alertdialog]"
  const place = (await page.locator(dialogs).count()) > 0 ? dialogs : "html"
  const found = (await page.evaluate(`axe.run(${JSON.stringify(place)})`)) as {
    violations: ReadonlyArray<{ id: string; nodes: ReadonlyArray<{ html: string }> }>
  }
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`)
}

/** Buttons of a table or a list, and what opens in it, that are called the same: who hears them cannot tell of which row they are. */
const findTwins = ({ page }: BrowserPage): Promise<ReadonlyArray<string>> =>
  page.evaluate(`{
    const seen = new Map()
    const names = []
    for (const control of document.querySelectorAll("main :is(button, summary)")) {
      const around = control.closest("fieldset, section[aria-label]:not(.json)") ?? document
      const name = (control.ariaLabel ?? control.textContent).trim()
      if (!control.checkVisibility()) continue
      if (seen.get(around)?.has(name)) names.push(name)
      seen.set(around, (seen.get(around) ?? new Set()).add(name))
    }
    names
  }`) as Promise<ReadonlyArray<string>>

/** Nothing went wrong, nobody else was asked, nothing is wider than the window, everybody can use it, and no two buttons sound the same. */
export const expectGood = async (opened: BrowserPage, width: number): Promise<void> => {
  expect([opened.problems, opened.foreign]).toEqual([[], []])
  expect(await opened.page.evaluate("document.documentElement.scrollWidth")).toBe(width)
  expect(await findViolations(opened)).toEqual([])
  expect(await findTwins(opened)).toEqual([])
}

/** What has the focus, as it is read: empty for the body, which nobody wants to be at. */
export const readFocus = ({ page }: BrowserPage): Promise<string> =>
  page.evaluate(
    "document.activeElement === document.body ? '' : document.activeElement?.ariaLabel ?? document.activeElement?.textContent",
  ) as Promise<string>

/** Presses a key until what has the focus says just that. */
export const pressTo = async (opened: BrowserPage, says: string, key = "Tab"): Promise<void> => {
  for (let pressed = 0; pressed < 40; pressed += 1) {
    await opened.page.keyboard.press(key)
    if ((await readFocus(opened)) === says) return
  }
  throw new Error(`nothing that says "${says}" is reached by ${key}`)
}

/** Signs a developer in, and opens a page of the console, whose path is under `/console/`. */
export const openConsole = async (
  browser: TestBrowser,
  server: TestServer,
  { email, password }: Pick<TestDeveloper, "email" | "password">,
  path: string,
  shape: PageOptions = shapes[0],
): Promise<BrowserPage> => {
  const opened = await browser.open(`${server.url}/console/${path}`, shape)
  const { page } = opened
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("button", { name: "Sign out" }).waitFor()
  return opened
}
