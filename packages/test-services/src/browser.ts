import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"
import { type Browser, chromium, type Page } from "playwright-core"

/** A page in a browser, and what was seen of it so far. */
export interface BrowserPage {
  readonly page: Page
  /** Errors in its console, exceptions that nobody caught, requests that got no answer. */
  readonly problems: ReadonlyArray<string>
  /** Its requests to other hosts than those that it may ask. None of them leaves this machine. */
  readonly foreign: ReadonlyArray<string>
  close(): Promise<void>
}

/** How a page is opened. */
export interface PageOptions {
  readonly width?: number
  readonly height?: number
  readonly scheme?: "light" | "dark"
  /** The origins that it may ask beside its own. */
  readonly origins?: ReadonlyArray<string>
}

/** A Chromium without a window. */
export interface TestBrowser {
  /** Opens an address in a profile of its own, and waits until it has loaded. */
  open(url: string, options?: PageOptions): Promise<BrowserPage>
  close(): Promise<void>
}

// For how long a page is waited for; on a busy machine it may be late.
const waitMillis = 60_000

// The headless shell first: it is the same engine with less around it, and a page costs a quarter less.
const names = [
  "chromium-headless-shell",
  "chrome-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
]

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The Chromium that `CHROMIUM_PATH` names, or the first one on the PATH; null where there is none. */
export const findChromium = ({
  CHROMIUM_PATH: given = "",
  PATH = "",
}: Readonly<Record<string, string | undefined>>): string | null => {
  if (given !== "") {
    if (isExecutable(given)) return given
    throw new Error(`CHROMIUM_PATH names ${given}, which cannot be run.`)
  }
  const folders = PATH.split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable) ?? null
}

const found = findChromium(process.env)
if (found === null) console.warn("No Chromium was found: the suites in a browser are skipped.")

/** Whether there is a Chromium. Without one the suites in a browser are skipped. */
export const hasChromium: boolean = found !== null

const openPage = async (
  browser: Browser,
  url: string,
  { width = 1280, height = 800, scheme = "light", origins = [] }: PageOptions,
): Promise<BrowserPage> => {
  const context = await browser.newContext({ viewport: { width, height }, colorScheme: scheme })
  context.setDefaultTimeout(waitMillis)
  await context.grantPermissions(["clipboard-read", "clipboard-write"])
  const page = await context.newPage()
  const problems: Array<string> = []
  const foreign: Array<string> = []
  const own = new Set([url, ...origins].map((address) => new URL(address).host))
  const look = (address: string) => {
    const { protocol, host } = new URL(address)
    if (/^(http|ws)s?:$/.test(protocol) && !own.has(host)) foreign.push(address)
  }
  context.on("request", (request) => look(request.url()))
  page.on("websocket", (socket) => look(socket.url()))
  page.on("pageerror", (error) => problems.push(String(error)))
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(`${message.text()} (${message.location().url})`)
  })
  page.on("requestfailed", (request) => {
    // What the page itself has given up is no problem.
    const reason = request.failure()?.errorText ?? ""
    if (reason !== "net::ERR_ABORTED") problems.push(`${request.method()} ${request.url()}: ${reason}`)
  })
  await page.goto(url, { waitUntil: "load" })
  return { page, problems, foreign, close: () => context.close() }
}

/** Starts the Chromium of this machine. It resolves no name but that of this machine. */
export const openBrowser = async (): Promise<TestBrowser> => {
  if (found === null) throw new Error("There is no Chromium.")
  const browser = await chromium.launch({
    executablePath: found,
    // It shows our own pages only, and its sandbox starts neither as root nor in most containers.
    chromiumSandbox: false,
    args: ["--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE localhost , EXCLUDE 127.0.0.1"],
  })
  return { open: (url, options = {}) => openPage(browser, url, options), close: () => browser.close() }
}
