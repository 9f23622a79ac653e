import type { BrowserPage, TestBrowser } from "@hearth/test-services/browser"
import { atMost, type Figure, median } from "../harness/figure.ts"
import { call, type Service } from "../harness/service.ts"

const rounds = 5
const users = 60
const password = "a long password"

/** A developer with a project in which something has happened. */
const aProject = async (service: Service) => {
  const email = `${crypto.randomUUID()}@example.com`
  const account = JSON.stringify({ email, password })
  const { access_token } = await call(service, "POST", "/auth/developer/signup", {}, account)
  const developer = { authorization: `Bearer ${access_token}` }
  const { id, client_api_key } = await call(
    service,
    "POST",
    "/admin/projects",
    developer,
    JSON.stringify({ name: "Bench" }),
  )
  const send = (path: string, body: object) =>
    call(service, "POST", `/admin/projects/${id}${path}`, developer, JSON.stringify(body))
  for (let count = 0; count < users; count += 1) {
    const { user } = await call(service, "POST", "/client/auth/anonymous", { "x-api-key": client_api_key })
    await send("/events", {
      events: Array.from({ length: 10 }, () => ({ app_user_id: user.id, event_name: "lesson_completed" })),
    })
  }
  return { email, id: id as string }
}

// Run in the page. A page is done when nothing has changed for a while: what counts is the frame after the last change.
const quietMillis = 600
const longestMillis = 5_000
const watch = `(async (go) => {
  const began = performance.now()
  let changed = began
  const observer = new MutationObserver(() => requestAnimationFrame(() => { changed = performance.now() }))
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  performance.clearResourceTimings()
  go()
  for (let now = began; now - began < ${longestMillis} && now - Math.max(changed, answered()) < ${quietMillis}; now = performance.now())
    await new Promise((resolve) => setTimeout(resolve, 20))
  observer.disconnect()
  return Math.max(0, changed - Math.max(began, answered()))
  function answered() {
    return Math.max(began, ...performance.getEntriesByType("resource")
      .filter(({ name, initiatorType }) => name.includes("/v1/") || initiatorType === "script" || initiatorType === "link" || initiatorType === "other")
      .map(({ responseEnd }) => responseEnd))
  }
})`
const transferred = `[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  .filter(({ name }) => !name.includes("/v1/")).reduce((sum, { transferSize }) => sum + transferSize, 0)`

/** Opens the console in a profile of its own: how many bytes came, and after what time one can type. */
const openFirst = async (browser: TestBrowser, origin: string) => {
  const opened = await browser.open(`${origin}/console/`)
  await opened.page.getByLabel("Email").waitFor()
  const millis = (await opened.page.evaluate(
    `performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd`,
  )) as number
  const shown = (await opened.page.evaluate("performance.now()")) as number
  return { opened, millis: Math.max(millis, shown), bytes: (await opened.page.evaluate(transferred)) as number }
}

const signIn = async ({ page }: BrowserPage, email: string) => {
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("button", { name: "Sign out" }).waitFor()
}

/** The links of the navigation, and for each round how long after its data each page was done. */
const measurePages = async ({ page }: BrowserPage, origin: string, projectId: string) => {
  const home = `/console/projects/${projectId}/overview`
  await page.goto(`${origin}${home}`)
  await page.locator(`nav a[href="${home}"]`).first().waitFor()
  const hrefs = (await page.evaluate(
    `[...new Set([...document.querySelectorAll("nav a")].map((link) => link.getAttribute("href")))]`,
  )) as ReadonlyArray<string | null>
  const paths = hrefs.filter((href) => href?.includes(projectId)) as ReadonlyArray<string>
  const times = new Map<string, Array<number>>()
  for (let round = 0; round < rounds; round += 1)
    for (const path of [...paths.slice(1), ...paths.slice(0, 1)]) {
      const go = `() => document.querySelector('nav a[href="${path}"]').click()`
      const millis = (await page.evaluate(`${watch}(${go})`)) as number
      const name = path.slice(path.indexOf(projectId) + projectId.length + 1)
      times.set(name, [...(times.get(name) ?? []), millis])
    }
  return times
}

/** What somebody waits for who opens the console and looks around. */
export const consolePages = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const project = await aProject(service)
  // It says where there is no Chromium, which is no news to the other benchmarks.
  const { openBrowser } = await import("@hearth/test-services/browser")
  const browser = await openBrowser()
  try {
    const firsts: Array<number> = []
    let bytes = 0
    // The first call builds the console, where its sources have changed.
    await (await openFirst(browser, service.origin)).opened.close()
    for (let round = 0; round < rounds; round += 1) {
      const { opened, millis, ...first } = await openFirst(browser, service.origin)
      firsts.push(millis)
      bytes = first.bytes
      await opened.close()
    }
    const { opened } = await openFirst(browser, service.origin)
    await signIn(opened, project.email)
    const withHome = (await opened.page.evaluate(transferred)) as number
    const pages = await measurePages(opened, service.origin, project.id)
    const slowest = [...pages].map(([name, times]) => ({ name, millis: median(times) }))
    slowest.sort((one, other) => other.millis - one.millis)
    return [
      atMost("Console, first load, compressed", "KB", bytes / 1000, 250),
      atMost("Console, first load with the first page after the sign-in, compressed", "KB", withHome / 1000, 250),
      atMost("Console, from the address to a form to type in", "ms", median(firsts), 1_500),
      ...slowest
        .slice(0, 3)
        .map(({ name, millis }) =>
          atMost(`Console, ${name} of ${slowest.length} pages, after its data`, "ms", millis, 300),
        ),
    ]
  } finally {
    await browser.close()
  }
}
