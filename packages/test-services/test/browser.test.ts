import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { findChromium, hasChromium, openBrowser, type TestBrowser } from "../src/browser.ts"

const pages: Readonly<Record<string, string>> = {
  "/good": "<title>Good</title><link rel=icon href=data:,><p>Hello",
  "/bad": `<link rel=icon href=data:,><img src="http://elsewhere.test/a.png"><script>
    console.error("it broke"); fetch("/missing"); throw new Error("nobody caught this")</script>`,
}

describe("the Chromium that is looked for", () => {
  it("is the one that CHROMIUM_PATH names, or else the first of the PATH", () => {
    expect(findChromium({ CHROMIUM_PATH: process.execPath, PATH: "" })).toBe(process.execPath)
    expect(findChromium({ PATH: "/nowhere" })).toBe(null)
    expect(() => findChromium({ CHROMIUM_PATH: "/nowhere/chromium" })).toThrow("cannot be run")
  })
})

describe.skipIf(!hasChromium)("a page in a browser", () => {
  let server: Server
  let browser: TestBrowser
  let url: string

  beforeAll(async () => {
    server = createServer((request, response) => {
      const page = pages[request.url ?? ""]
      response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" }).end(page)
    }).listen(0, "127.0.0.1")
    await once(server, "listening")
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    server.close()
  })

  it("has no problems where it has none", async () => {
    const opened = await browser.open(`${url}/good`, { width: 390, scheme: "dark" })
    expect(await opened.page.title()).toBe("Good")
    expect(await opened.page.evaluate("innerWidth")).toBe(390)
    expect(await opened.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")).toBe(true)
    expect([opened.problems, opened.foreign]).toEqual([[], []])
    await opened.close()
  })

  it("tells errors, exceptions, missing files and requests to other hosts", async () => {
    const opened = await browser.open(`${url}/bad`)
    await expect.poll(() => opened.problems.join("\n")).toContain("404")
    for (const problem of ["it broke", "nobody caught this", "ERR_NAME_NOT_RESOLVED"])
      expect(opened.problems.join("\n")).toContain(problem)
    expect(opened.foreign).toEqual(["http://elsewhere.test/a.png"])
    await opened.close()
  })
})
