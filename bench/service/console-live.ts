import { setTimeout as sleep } from "node:timers/promises"
import type { BrowserPage } from "@hearth/test-services/browser"
import { atMost, type Figure } from "../harness/figure.ts"
import { call, type Service, setUp } from "../harness/service.ts"

const perSecond = 1_000
const seconds = 20
const callsPerSecond = 10
const leastFrames = 30
const mostRows = 500

/** Notes in the page when each frame is shown. */
const watchFrames = `
  window.frames_ = []
  const note = (at) => { window.frames_.push(at); requestAnimationFrame(note) }
  requestAnimationFrame(note)`

/** How many frames there were in each whole second. */
const countFrames = (times: ReadonlyArray<number>): ReadonlyArray<number> => {
  const [first = 0] = times
  const counts = new Array<number>(Math.floor(((times.at(-1) ?? 0) - first) / 1_000)).fill(0)
  for (const time of times) {
    const second = Math.floor((time - first) / 1_000)
    if (second < counts.length) counts[second] = (counts[second] ?? 0) + 1
  }
  return counts
}

const mean = (values: ReadonlyArray<number>) => values.reduce((sum, value) => sum + value, 0) / values.length

/** Sends so many events each second, whether or not the calls before are answered. */
const sendEvents = async (service: Service, { developer, projectId, userIds }: Awaited<ReturnType<typeof setUp>>) => {
  const calls: Array<Promise<unknown>> = []
  const began = performance.now()
  for (let sent = 0; sent < seconds * callsPerSecond; sent += 1) {
    const events = Array.from({ length: perSecond / callsPerSecond }, (_, at) => ({
      app_user_id: userIds[at % userIds.length],
      event_name: `lesson_${at % 7}`,
      properties: { score: at, level: "advanced", device: "phone", seconds: 12.5 },
    }))
    calls.push(call(service, "POST", `/admin/projects/${projectId}/events`, developer, JSON.stringify({ events })))
    await sleep(Math.max(0, began + ((sent + 1) * 1_000) / callsPerSecond - performance.now()))
  }
  await Promise.all(calls)
  return (performance.now() - began) / 1_000
}

const openEvents = async (service: Service, { account, projectId }: Awaited<ReturnType<typeof setUp>>) => {
  // Loaded here: it says where there is no Chromium, which matters to no other benchmark.
  const { openBrowser } = await import("@hearth/test-services/browser")
  const browser = await openBrowser()
  const opened = await browser.open(`${service.origin}/console/projects/${projectId}/events`)
  const { page } = opened
  await page.getByLabel("Email").fill(account.email)
  await page.getByLabel("Password").fill(account.password)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByText("live", { exact: true }).waitFor()
  return { opened, browser }
}

const makeHeapReader = async ({ page }: BrowserPage) => {
  const session = await page.context().newCDPSession(page)
  return async () => {
    await session.send("HeapProfiler.collectGarbage")
    const { usedSize } = await session.send("Runtime.getHeapUsage")
    return usedSize / 1e6
  }
}

/** The page of live events while a thousand of them come each second. */
export const consoleLive = async (service: Service): Promise<ReadonlyArray<Figure>> => {
  const world = await setUp(service, 50)
  const { opened, browser } = await openEvents(service, world)
  const { page } = opened
  try {
    const readHeap = await makeHeapReader(opened)
    // A first round, so that the second begins with a full list.
    await sendEvents(service, world)
    const before = await readHeap()
    await page.evaluate(watchFrames)
    const took = await sendEvents(service, world)
    const frames = countFrames((await page.evaluate("window.frames_")) as ReadonlyArray<number>)
    await sleep(2_000)
    const after = await readHeap()
    const rows = await page.locator(".event-row").count()
    const text = (await page.locator(".live-counts dd").first().textContent()) ?? ""
    const counted = Number(/([\d,]+) so far/.exec(text)?.[1]?.replaceAll(",", ""))
    const sent = 2 * seconds * perSecond
    const slowest = Math.min(...frames)
    const rate = (seconds * perSecond) / took
    return [
      {
        name: `Live events in the console, ${Math.round(rate)} a second: frames`,
        measured: `${mean(frames).toFixed(1)} a second, ${slowest} in the slowest one`,
        bound: `≥ ${leastFrames} a second, in each of ${frames.length} seconds`,
        kept: slowest >= leastFrames,
      },
      {
        name: "Live events in the console: counted",
        measured: `${counted} events`,
        bound: `${sent} events`,
        kept: counted === sent,
      },
      atMost("Live events in the console: growth of the heap by 20,000 more", "MB", after - before, 5, 1),
      atMost("Live events in the console: heap", "MB", after, 50, 1),
      // And those that were stored before.
      atMost("Live events in the console: lines", "lines", rows, mostRows + 50),
    ]
  } finally {
    await opened.close()
    await browser.close()
  }
}
