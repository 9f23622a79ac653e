import { developmentGateway } from "@hearth/adapters"
import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { as, ask, codeOf, sampleApp } from "./sample-app.ts"

const here = { headers: { host: "127.0.0.1:8080" } }

const clock = { now: () => new Date("2026-03-01T12:00:00.000Z") }

const aPush = (delivery_id: string, more: object = {}) => ({
  ...{ delivery_id, token: `token-of-${delivery_id}`, title: "Hello", body: "News", data: {}, options: {} },
  ...more,
})

const withPushes = async () => {
  const { accept, list } = developmentGateway(clock)
  const messages = [aPush("one"), aPush("two", { data: { a: 1 }, options: { sound: "ping" } })]
  await Effect.runPromise(accept("a-project", "push_a", messages))
  return { messages, ...sampleApp({ pushes: list }) }
}

describe("GET /dev/push [H4.2]", () => {
  it("shows the pushes that were kept, the newest first", async () => {
    const { app, messages } = await withPushes()
    const response = await ask(app, "GET", "/dev/push", here)
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"])
    const { data } = (await response.json()) as { data: ReadonlyArray<unknown> }
    const [first, second] = messages
    expect(data).toHaveLength(2)
    expect(data[0]).toEqual({
      ...{ project_id: "a-project", provider: "push_a", at: clock.now().toISOString() },
      ...second,
      payload: {
        aps: { alert: { title: second?.title, body: second?.body }, sound: "ping" },
        data: { a: 1 },
        delivery_id: second?.delivery_id,
      },
    })
    expect(data[1]).toMatchObject({ delivery_id: first?.delivery_id, token: first?.token })
  })

  it.each(["eve.example", "127.0.0.1.eve.example", "192.168.0.7:8080"])(
    "is 404 under another host: %s",
    async (host) => {
      const { app } = await withPushes()
      const response = await ask(app, "GET", "/dev/push", { headers: { host } })
      expect([response.status, await codeOf(response)]).toEqual([404, "NOT_FOUND"])
    },
  )

  it.each([
    ["192.168.0.7", 404],
    ["::ffff:10.0.0.1", 404],
    ["127.0.0.1", 200],
    ["::ffff:127.0.0.1", 200],
    ["::1", 200],
  ])("answers callers on this machine only: %s %i", async (ip, status) => {
    const { app } = await withPushes()
    const request = Object.assign(new Request("http://hearth.test/dev/push", here), { ip })
    expect((await app.fetch(request)).status).toBe(status)
  })

  it("is an unknown path where the service is not embedded", async () => {
    const { app } = sampleApp()
    const absent = await ask(app, "GET", "/dev/push", { headers: { ...here.headers, ...as.owner } })
    expect([absent.status, await codeOf(absent)]).toEqual([404, "NOT_FOUND"])
  })

  it("leaves no push in the log, and is not in the API document", async () => {
    const { app, log, messages } = await withPushes()
    await ask(app, "GET", "/dev/push", here)
    expect(JSON.stringify(log.lines)).not.toContain(messages[0]?.token)
    expect(await (await ask(app, "GET", "/openapi.json")).text()).not.toContain("/dev/push")
  })
})
