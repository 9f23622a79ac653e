import { text } from "@hearth/core"
import { Schema } from "effect"
import { describe, expect, it } from "vitest"
import { ok } from "../../src/http/response/answers.ts"
import { as, ask, clientKey, codeOf, noteId, projectId, sampleApp } from "./sample-app.ts"

const notes = `/v1/admin/projects/${projectId}/notes`
const wire = { id: noteId, title: "a note", at: "2026-01-02T00:00:00.000Z" }

describe("a route's answer", () => {
  it("wraps a created record and has declared fields only", async () => {
    const { app, core } = sampleApp()
    const response = await ask(app, "POST", notes, {
      headers: as.admin,
      body: '{"title":"t","extra":1,"__proto__":{"stars":9},"constructor":{"prototype":{"stars":9}}}',
    })
    expect([response.status, await response.json()]).toEqual([201, { data: wire }])
    expect(core.calls).toEqual([{ project: projectId, title: "t", stars: 0, role: "admin" }])
  })

  it("is checked for its shape, and not for the bounds of input, which stored values may exceed", () => {
    const answer = ok(Schema.Struct({ title: text(1, 3) }))
    const write = (stored: unknown) => answer.write(stored as { title: string }, {})
    expect(write({ title: "longer", secret: 1 })).toEqual({ status: 200, json: { data: { title: "longer" } } })
    expect(() => write({ title: 3 })).toThrow()
    expect(() => write({})).toThrow()
  })

  it("repeats limit and offset of the query", async () => {
    const { app, core } = sampleApp()
    const response = await ask(app, "GET", `${notes}?limit=10&offset=20&starred=true&search=a%20b+c`, {
      headers: as.viewer,
    })
    expect(await response.json()).toEqual({ data: [wire], total: 7, offset: 20, limit: 10 })
    expect(core.calls).toEqual([{ limit: 10, offset: 20, starred: true, search: "a b c" }])
  })

  it("has the default limit and offset", async () => {
    const { app } = sampleApp()
    const response = await ask(app, "GET", notes, { headers: as.viewer })
    expect(await response.json()).toMatchObject({ offset: 0, limit: 50 })
  })

  it.each([
    ["PATCH", `${notes}/${noteId}`, as.admin, { title: "x" }, 200, { data: wire }],
    ["PUT", `${notes}/${noteId}`, as.owner, { title: "x", stars: 5 }, 201, { data: wire }],
    ["PUT", `${notes}/${noteId}`, as.owner, { title: "x" }, 200, { data: wire }],
    ["DELETE", `${notes}/${noteId}`, as.admin, undefined, 200, { data: { deleted: true } }],
    ["POST", "/v1/client/notes", as.key, [1, null], 200, { data: [wire] }],
    ["POST", "/v1/auth/notes/login", as.nobody, { title: "x" }, 200, { data: wire, next_cursor: null }],
  ])("%s %s", async (method, path, headers, body, status, expected) => {
    const response = await ask(sampleApp().app, method, path, { headers, body })
    expect([response.status, await response.json()]).toEqual([status, expected])
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.get("x-content-type-options")).toBe("nosniff")
  })

  it("has no body where the route says so", async () => {
    const response = await ask(sampleApp().app, "DELETE", "/v1/admin/notes", { headers: as.viewer })
    expect([response.status, await response.text()]).toEqual([204, ""])
  })

  it("reads upper-case ids as lower-case", async () => {
    const { app, core } = sampleApp()
    await ask(app, "DELETE", `/v1/admin/projects/${projectId.toUpperCase()}/notes/${noteId.toUpperCase()}`, {
      headers: as.owner,
    })
    expect(core.calls).toEqual([{ projectId, noteId }])
  })

  it("passes the caller to the use case", async () => {
    const { app, core } = sampleApp()
    await ask(app, "GET", `/v1/client/notes/${noteId}`, { headers: as.user })
    expect(core.calls).toMatchObject([{ noteId, project_id: projectId, user_id: "user", session_id: "session" }])
  })

  it("passes the headers that a route declares to the use case", async () => {
    const { app, core } = sampleApp()
    const [body, headers] = ['{"title":"a"}', { ...as.admin, "content-type": "application/json" }]
    await ask(app, "POST", notes, { headers: { ...headers, "idempotency-key": " k-1 ", "x-other": "o" }, body })
    await ask(app, "POST", notes, { headers, body })
    expect(core.calls.map((call) => (call as Record<string, unknown>)["Idempotency-Key"])).toEqual(["k-1", undefined])
  })

  it("reads an empty body as {} only where the route says so", async () => {
    const { app, core } = sampleApp()
    expect((await ask(app, "PATCH", `${notes}/${noteId}`, { headers: as.admin })).status).toBe(200)
    expect((await ask(app, "POST", notes, { headers: as.admin })).status).toBe(400)
    expect(core.calls).toEqual([{ id: noteId }])
  })

  it.each(["text/plain;charset=UTF-8", "application/x-www-form-urlencoded"])(
    "reads an empty body of type %s as {}, where it may be left out",
    async (type) => {
      const { app, core } = sampleApp()
      const send = async (method: "PATCH" | "POST", path: string, body: string | ReadableStream) =>
        (await ask(app, method, path, { headers: { ...as.admin, "content-type": type }, body })).status
      expect(await send("PATCH", `${notes}/${noteId}`, "")).toBe(200)
      expect(await send("PATCH", `${notes}/${noteId}`, new Blob([""]).stream())).toBe(200)
      expect(await send("PATCH", `${notes}/${noteId}`, "{}")).toBe(415)
      expect(await send("PATCH", `${notes}/${noteId}`, " ".repeat(300_000))).toBe(415)
      expect(await send("POST", notes, "")).toBe(415)
      expect(core.calls).toEqual([{ id: noteId }, { id: noteId }])
    },
  )

  it("takes no query where the route has none", async () => {
    const response = await ask(sampleApp().app, "DELETE", `${notes}/${noteId}?%zz&a=%00`, { headers: as.admin })
    expect([response.status, await codeOf(response)]).toEqual([400, "UNKNOWN_PARAMETER"])
  })

  it("ignores the body of a route that has none", async () => {
    const response = await ask(sampleApp().app, "DELETE", `${notes}/${noteId}`, { headers: as.admin, body: "{{{" })
    expect(response.status).toBe(200)
  })

  it("passes the bytes to a webhook, and parses them when it calls json()", async () => {
    const { app, core } = sampleApp()
    const headers = { "content-type": "text/plain", "x-signature": "s" }
    await ask(app, "POST", "/v1/webhooks/notes", { headers, body: '{"a":1}' })
    await ask(app, "POST", "/v1/webhooks/notes", { headers, body: '{"a":"\\u0000"}' })
    expect(core.calls).toEqual([
      { signature: "s", length: 7, json: { a: 1 } },
      { signature: "s", length: 14, json: undefined },
    ])
  })
})

describe("HEAD", () => {
  it("answers like GET without the body", async () => {
    const { app } = sampleApp()
    const get = await ask(app, "GET", notes, { headers: as.viewer })
    const head = await ask(app, "HEAD", notes, { headers: as.viewer })
    expect([head.status, await head.text()]).toEqual([200, ""])
    expect(head.headers.get("content-type")).toBe("application/json")
    expect(head.headers.get("content-length")).toBe(String((await get.text()).length))
  })

  it("is refused like GET", async () => {
    const head = await ask(sampleApp().app, "HEAD", notes)
    expect([head.status, await head.text()]).toEqual([401, ""])
  })

  it("cancels the source of a download", async () => {
    const { app, log } = sampleApp()
    const head = await ask(app, "HEAD", "/v1/client/export", { headers: as.user })
    expect([head.status, await head.text(), log.cancelled]).toEqual([200, "", 1])
  })
})

describe("a redirect", () => {
  const visit = (address: string, method = "GET") =>
    ask(sampleApp().app, method, `/v1/client/links/${encodeURIComponent(address)}`, { headers: as.key })

  it.each(["GET", "HEAD"])("has an address, no body and no-store: %s", async (method) => {
    const response = await visit("https://shop.example/a?b=c#d", method)
    expect([response.status, await response.text()]).toEqual([302, ""])
    expect(response.headers.get("location")).toBe("https://shop.example/a?b=c#d")
    expect(response.headers.get("cache-control")).toBe("no-store")
    expect(response.headers.has("content-type")).toBe(false)
    expect(response.headers.get("x-request-id")).toBe("made-1")
  })

  it.each([
    ["an address without a path, unchanged", "https://shop.example", "https://shop.example"],
    ["an app's own scheme", "lingua://Lesson/7?x=%20", "lingua://Lesson/7?x=%20"],
    [
      "a path that a header cannot have, encoded",
      "https://shop.example/ü?q=日",
      "https://shop.example/%C3%BC?q=%E6%97%A5",
    ],
    ["a host that a header cannot have, encoded", "https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["a line break, encoded", "https://shop.example/\r\nset-cookie: a=b", "https://shop.example/set-cookie:%20a=b"],
  ])("leads to %s", async (_, address, expected) => {
    const response = await visit(address)
    expect([response.status, response.headers.get("location")]).toEqual([302, expected])
    expect(response.headers.has("set-cookie")).toBe(false)
  })

  it.each(["nowhere", "/relative", "https://"])("to %s is a fault of ours", async (address) => {
    const response = await visit(address)
    expect([response.status, await codeOf(response)]).toEqual([500, "VISIT_FAILED"])
    expect(response.headers.has("location")).toBe(false)
  })

  it("is an error answer where its use case fails", async () => {
    const response = await visit("missing")
    expect([response.status, await codeOf(response)]).toEqual([404, "NOT_FOUND"])
  })
})

describe("a download", () => {
  it("is streamed with its type and a safe file name", async () => {
    const response = await ask(sampleApp().app, "GET", "/v1/client/export", { headers: as.user })
    expect(await response.text()).toBe("id,title\n")
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="notes__of__a_user.csv"')
    expect(response.headers.get("x-request-id")).toBe("made-1")
  })
})

describe("a page of another origin", () => {
  const asking = { origin: "https://app.example", "access-control-request-method": "GET" }

  it("may send a preflight for the client plane", async () => {
    const response = await ask(sampleApp().app, "OPTIONS", "/v1/client/notes", { headers: asking })
    expect([response.status, await response.text()]).toEqual([204, ""])
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
    expect(response.headers.get("access-control-allow-methods")).toBe("POST")
    expect(response.headers.get("access-control-allow-headers")).toMatch(/X-Api-Key, Authorization, Content-Type/)
    expect(response.headers.has("access-control-allow-credentials")).toBe(false)
    expect(Number(response.headers.get("access-control-max-age"))).toBeGreaterThan(0)
  })

  it.each([
    ["an answer", `/v1/client/notes/${noteId}`, as.user, 200],
    ["a refusal", `/v1/client/notes/${noteId}`, as.nobody, 401],
    ["a 404", "/v1/client/nothing", as.nobody, 404],
  ])("can read %s", async (_, path, headers, status) => {
    const response = await ask(sampleApp().app, "GET", path, { headers: { ...headers, origin: "https://app.example" } })
    expect(response.status).toBe(status)
    expect(response.headers.get("access-control-allow-origin")).toBe("*")
    expect(response.headers.get("access-control-expose-headers")).toContain("X-Request-Id")
  })

  it("can read what they need to ask for the next part of a file, and its name", async () => {
    const response = await ask(sampleApp().app, "GET", `/v1/client/notes/${noteId}`, { headers: as.user })
    const exposed = response.headers.get("access-control-expose-headers")?.split(", ")
    expect(exposed).toEqual(
      expect.arrayContaining(["ETag", "Accept-Ranges", "Content-Range", "Content-Disposition", "X-Request-Id"]),
    )
  })

  it("may not call the admin plane", async () => {
    const { app } = sampleApp()
    const response = await ask(app, "OPTIONS", notes, { headers: asking })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST, GET, HEAD"])
    expect((await ask(app, "GET", notes, { headers: as.viewer })).headers.has("access-control-allow-origin")).toBe(
      false,
    )
  })

  it("sends no preflight with a plain OPTIONS", async () => {
    expect(
      (await ask(sampleApp().app, "OPTIONS", "/v1/client/notes", { headers: { "x-api-key": clientKey } })).status,
    ).toBe(405)
  })
})
