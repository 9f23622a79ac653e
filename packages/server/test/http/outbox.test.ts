import { describe, expect, it } from "vitest"
import { as, ask, codeOf, sampleApp } from "./sample-app.ts"

const mail = (id: string, sent_at: string) => ({
  id,
  to: "ada@example.com",
  subject: "Sign in to Lingua",
  text: "Open https://app.example/auth/verify?token=abc",
  html: "<p>Open \u2028 </p>",
  sent_at: new Date(sent_at),
})

const here = { headers: { host: "127.0.0.1:8080" } }

describe("the development outbox", () => {
  it("shows the mails that were kept, in the order in which they are listed", async () => {
    const mails = [mail("two", "2026-03-01T12:00:01.000Z"), mail("one", "2026-03-01T12:00:00.000Z")]
    const response = await ask(sampleApp({ outbox: () => mails }).app, "GET", "/dev/outbox", here)
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await response.json()).toEqual({
      data: [
        { ...mails[0], sent_at: "2026-03-01T12:00:01.000Z" },
        { ...mails[1], sent_at: "2026-03-01T12:00:00.000Z" },
      ],
    })
  })

  it("is read at every call, with no-store", async () => {
    const mails: Array<ReturnType<typeof mail>> = []
    const { app } = sampleApp({ outbox: () => mails })
    const first = await ask(app, "GET", "/dev/outbox", here)
    mails.push(mail("one", "2026-03-01T12:00:00.000Z"))
    const second = await ask(app, "GET", "/dev/outbox", here)
    expect([await first.json(), await second.json()]).toEqual([{ data: [] }, { data: [expect.anything()] }])
    expect(second.headers.get("cache-control")).toBe("no-store")
  })

  it("cannot be read by pages of other origins, nor be written to", async () => {
    const { app } = sampleApp({ outbox: () => [] })
    const fromPage = await ask(app, "GET", "/dev/outbox", {
      headers: { ...here.headers, origin: "https://eve.example" },
    })
    expect(fromPage.headers.get("access-control-allow-origin")).toBe(null)
    const written = await ask(app, "DELETE", "/dev/outbox")
    expect([written.status, written.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })

  it.each(["eve.example", "127.0.0.1.eve.example", "192.168.0.7:8080"])(
    "is 404 under another host: %s",
    async (host) => {
      const { app } = sampleApp({ outbox: () => [mail("one", "2026-03-01T12:00:00.000Z")] })
      const response = await ask(app, "GET", "/dev/outbox", { headers: { host } })
      expect([response.status, await codeOf(response)]).toEqual([404, "NOT_FOUND"])
    },
  )

  it.each([
    ["203.0.113.7", 404],
    ["127.0.0.1, 203.0.113.7", 404],
    ["203.0.113.7, ::1", 404],
    ["unknown", 404],
    ["127.0.0.1", 200],
    ["::1, 127.0.0.1", 200],
  ])("behind a proxy on this machine that is not in TRUST_PROXY, %s is answered %i", async (forwarded, status) => {
    const { app } = sampleApp({ outbox: () => [mail("one", "2026-03-01T12:00:00.000Z")] })
    const headers = { ...here.headers, "x-forwarded-for": forwarded }
    expect((await ask(app, "GET", "/dev/outbox", { headers })).status).toBe(status)
  })

  it("leaves no mail in the log", async () => {
    const { app, log } = sampleApp({ outbox: () => [mail("one", "2026-03-01T12:00:00.000Z")] })
    await ask(app, "GET", "/dev/outbox", here)
    expect(log.lines).toHaveLength(1)
    expect(JSON.stringify(log.lines)).not.toMatch(/ada@|token=/)
  })

  it.each(["GET", "POST"])("is an unknown path without an outbox: %s", async (method) => {
    const { app } = sampleApp()
    const absent = await ask(app, method, "/dev/outbox", { headers: as.owner })
    const unknown = await ask(app, method, "/dev/unknown", { headers: as.owner })
    expect([absent.status, unknown.status]).toEqual([404, 404])
    expect([await codeOf(absent), await codeOf(unknown)]).toEqual(["NOT_FOUND", "NOT_FOUND"])
  })

  it("is not in the API document", async () => {
    const document = await ask(sampleApp({ outbox: () => [] }).app, "GET", "/openapi.json")
    expect(await document.text()).not.toContain("outbox")
  })
})
